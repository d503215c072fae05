import { findMatchEnd } from '../ranges.js';

/** Position of a secret in a text, in UTF-16 units. */
export interface SecretFinding {
  readonly kind: string;
  readonly index: number;
  readonly length: number;
}

/**
 * Tokens that begin with a known prefix, as their services document them: kind, prefixes, minimum number of characters after
 * the prefix. These characters are letters, digits, `_` and `-`, and look random.
 */
const PREFIXED: readonly (readonly [kind: string, prefixes: string, fewest: number])[] = [
  ['gitlab-token', 'glpat- gloas- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- glwt- glsoat- glffct-', 20],
  ['gitlab-token', 'GR1348941', 20],
  ['github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', 36],
  ['github-token', 'github_pat_', 22],
  ['anthropic-key', 'sk-ant-', 20],
  ['openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', 20],
  ['openai-key', 'sk-', 32],
  ['google-key', 'AIza', 35],
  ['google-key', 'GOCSPX-', 20],
  ['google-token', 'ya29.', 20],
  ['google-token', '1//0', 30],
  ['npm-token', 'npm_', 30],
  ['pypi-token', 'pypi-AgE', 40],
  ['rubygems-key', 'rubygems_', 32],
  ['nuget-key', 'oy2', 43],
  ['crates-token', 'cio', 32],
  ['clojars-token', 'CLOJARS_', 40],
  ['docker-token', 'dckr_pat_ dckr_oat_ dckr_oidc_', 20],
  ['stripe-key', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_', 10],
  ['webhook-secret', 'whsec_', 20],
  ['groq-key', 'gsk_', 40],
  ['xai-key', 'xai-', 60],
  ['openrouter-key', 'sk-or-', 32],
  ['perplexity-key', 'pplx-', 40],
  ['replicate-token', 'r8_', 30],
  ['nvidia-key', 'nvapi-', 40],
  ['cerebras-key', 'csk-', 40],
  ['fireworks-key', 'fw_', 22],
  ['tavily-key', 'tvly-', 20],
  ['pinecone-key', 'pcsk_', 40],
  ['langchain-key', 'lsv2_pt_ lsv2_sk_ ls__', 32],
  ['langfuse-key', 'sk-lf-', 32],
  ['firecrawl-key', 'fc-', 32],
  ['jina-key', 'jina_', 40],
  ['elevenlabs-key', 'sk_', 40],
  ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', 60],
  ['vault-token', 'hvs. hvb. hvr.', 24],
  ['pulumi-token', 'pul-', 40],
  ['doppler-token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', 30],
  ['infisical-token', 'st.', 40],
  ['vault-token', 's.', 24],
  ['1password-token', 'ops_ey', 100],
  ['age-key', 'AGE-SECRET-KEY-1 AGE-SECRET-KEY-PQ-1', 58],
  ['cloudflare-token', 'cfut_ cfat_ cfk_', 40],
  ['cloudflare-key', 'v1.0-', 100],
  ['vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', 20],
  ['netlify-token', 'nfp_ nfc_ nfo_ nfb_ nfu_', 30],
  ['supabase-key', 'sbp_ sb_secret_', 20],
  ['planetscale-key', 'pscale_tkn_ pscale_pw_ pscale_oauth_', 30],
  ['neon-key', 'napi_', 40],
  ['render-key', 'rnd_', 20],
  ['railway-token', 'rwt_', 20],
  ['heroku-key', 'HRKU-', 30],
  ['tailscale-key', 'tskey-auth- tskey-api- tskey-client- tskey-webhook- tskey-scim-', 16],
  ['databricks-token', 'dapi dkea dose', 32],
  ['grafana-token', 'glsa_ glc_', 32],
  ['sentry-token', 'sntrys_ sntryu_ sntrya_ sntryi_', 40],
  ['newrelic-key', 'NRAK- NRAL- NRJS- NRII- NRBR- NRRA-', 19],
  ['dynatrace-token', 'dt0c01. dt0s01. dt0s02. dt0s06. dt0s16.', 24],
  ['datadog-key', 'ddapp_ ddpat_', 30],
  ['honeycomb-key', 'hcaik_ hcalk_ hcamk_ hcxik_ hcxlk_ hcxmk_', 40],
  ['posthog-key', 'phx_ phs_', 30],
  ['buildkite-token', 'bkua_ bkct_ bkaj_ bkpat_ bkrt_', 32],
  ['circleci-token', 'CCIPAT_ CCIPRJ_', 20],
  ['postman-key', 'PMAK- PMAT-', 24],
  ['sonar-token', 'sqp_ squ_ sqa_', 40],
  ['sourcegraph-token', 'sgp_ slk_', 40],
  ['snyk-token', 'snyk_uat. snyk_sat.', 30],
  ['linear-key', 'lin_api_ lin_oauth_ lin_wh_', 32],
  ['notion-token', 'ntn_', 40],
  ['notion-token', 'secret_', 43],
  ['figma-token', 'figd_ figo_ figor_ figu_ figuh_ figoh_', 30],
  ['atlassian-token', 'ATATT3 ATCTT3 ATBB ATSTT3 BBDC-', 24],
  ['typeform-token', 'tfp_', 40],
  ['readme-key', 'rdme_', 40],
  ['contentful-token', 'CFPAT-', 40],
  ['prefect-key', 'pnu_ pnb_', 30],
  ['jfrog-token', 'AKCp', 60],
  ['jfrog-token', 'cmVmd', 50],
  ['openshift-token', 'sha256~', 40],
  ['shopify-token', 'shpat_ shpca_ shppa_ shpss_ shptka_', 32],
  ['square-token', 'sq0atp- sq0csp- sq0idb-', 22],
  ['square-token', 'EAAA', 22],
  ['sendgrid-key', 'SG.', 20],
  ['mailgun-key', 'key- pubkey-', 32],
  ['brevo-key', 'xkeysib- xsmtpsib-', 60],
  ['resend-key', 're_', 24],
  ['mailerlite-key', 'mlsn.', 40],
  ['twilio-key', 'SK', 32],
  ['plaid-token', 'access-production- access-sandbox- access-development-', 30],
  ['razorpay-key', 'rzp_live_ rzp_test_', 14],
  ['flutterwave-key', 'FLWSECK- FLWSECK_TEST-', 12],
  ['paypal-token', 'access_token$production$ access_token$sandbox$', 16],
  ['easypost-key', 'EZAK EZTK', 54],
  ['shippo-token', 'shippo_live_ shippo_test_', 40],
  ['duffel-token', 'duffel_live_ duffel_test_', 40],
  ['adyen-key', 'AQE', 80],
  ['intercom-token', 'dG9rOj', 40],
  ['hubspot-token', 'pat-na1- pat-na2- pat-eu1- pat-ap1- pat-au1-', 30],
  ['42-secret', 's-s4t2ud- s-s4t2af-', 60],
  ['frameio-token', 'fio-u-', 60],
  ['clickhouse-key', '4b1d', 38],
  ['authress-key', 'sc_ ext_ scauth_ authress_', 60],
  ['adobe-secret', 'p8e-', 32],
  ['alibaba-key', 'LTAI', 17],
  ['tencent-key', 'AKID', 32],
  ['yandex-key', 'AQVN y0_ YCAJE YCM', 32],
  ['mapbox-token', 'sk.eyJ', 60],
  ['deno-token', 'ddp_ ddo_', 36],
  ['expo-token', 'expo_', 30],
  ['infracost-key', 'ico-', 32],
  ['scalingo-token', 'tk-us-', 48],
  ['adafruit-key', 'aio_', 28],
  ['defined-token', 'dnkey-', 26],
  ['ory-token', 'ory_pat_ ory_at_ ory_rt_ ory_ac_', 32],
  ['matrix-token', 'syt_ mas_', 30],
  ['lob-key', 'live_pub_ test_pub_', 31],
  ['settlemint-token', 'sm_aat_ sm_pat_ sm_sat_', 16],
  ['nostr-key', 'nsec1', 58],
  ['bitcoin-key', 'xprv yprv zprv', 100],
  ['secret-token', 'secret-token:', 12],
];

/**
 * Tokens that need more than a prefix to be recognised. The patterns limit their lengths, so that they take linear time on
 * any text.
 */
const SHAPED: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['aws-access-key', /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])/g],
  ['grafana-key', /(?<![\w-])eyJrIjoi[A-Za-z0-9]{60,400}={0,2}/g],
  ['harness-key', /(?<![\w-])[ps]at\.[\w-]{22}\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{20}(?!\w)/g],
  ['huggingface-token', /(?<![A-Za-z0-9])(?:hf|api_org)_[A-Za-z0-9]{30,60}(?!\w)/g],
  ['maxmind-key', /(?<![A-Za-z0-9])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?!\w)/g],
  ['octopus-key', /(?<![\w./-])API-[A-Z0-9]{25,36}(?!\w)/g],
  ['aws-bedrock-key', /(?<![\w-])ABSK[A-Za-z0-9+/]{100,300}={0,2}/g],
  ['jwt', /(?<![\w-])eyJ[\w-]{8,}\.(?:eyJ[\w-]{8,}|)\.[\w-]{8,}(?:\.[\w-]{8,}\.[\w-]{8,})?/g],
  ['telegram-token', /(?<![\w-]|\d:)\d{7,12}:A[\w-]{34}(?![\w-])/g],
  ['azure-secret', /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/g],
  ['azure-key', /(?<![\w+/])[A-Za-z0-9+/]{76}\+?A(?:Stt|RAm|MCt|SzC|CDb|Zea)[A-Za-z0-9+/]{2,6}={2}/g],
  ['azure-devops-token', /(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/g],
  ['discord-token', /(?<![\w-])[MNO][\w-]{22,28}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])/g],
  ['mailchimp-key', /(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/g],
  ['terraform-token', /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,90}/g],
  ['fly-token', /(?<![\w-])(?:fm[12][ar]?_|fo1_)[\w+/=-]{30,2000}/g],
  [
    '1password-key',
    /(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![A-Z0-9])/g,
  ],
  ['launchdarkly-key', /(?<![\w-])(?:sdk|api)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/g],
  ['facebook-token', /(?<![A-Za-z0-9])EAA[B-Z][A-Za-z0-9]{60,400}/g],
  ['facebook-token', /(?<!\d)\d{15,16}(?:\||%7C|%)[\w-]{27,40}(?![\w-])/g],
  ['dropbox-token', /(?<![A-Za-z0-9])sl\.(?:u\.)?[\w-]{60,2000}/g],
  ['airtable-key', /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![A-Za-z0-9])/g],
  ['slack-token', /(?<![\w-])(?:xox[abcdeoprs]|xapp|xwfp)(?:\.xox[bp])?-(?=[\w-]*\d{4})[\w-]{10,}/g],
  ['slack-webhook', /(?:https?:\/\/)?hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{20,}/g],
  [
    'discord-webhook',
    /https:\/\/(?:\w{1,10}\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{10,25}\/[\w-]{20,}/g,
  ],
  [
    'teams-webhook',
    /https:\/\/[\w-]{1,60}\.(?:webhook\.office|logic\.azure)\.com(?::443)?\/[\w/@.-]{20,}(?:\?[\w/=&%.-]{1,400})?/g,
  ],
  ['webhook', /https:\/\/hooks\.zapier\.com\/hooks\/catch\/\d{3,}\/[\w-]{4,}/g],
  ['webhook', /https:\/\/(?:hook\.\w{2,4}\d?\.make\.com|hook\.integromat\.com)\/\w{20,}/g],
  ['webhook', /https:\/\/maker\.ifttt\.com\/(?:trigger\/[\w%-]{1,80}\/(?:json\/)?with\/key|use)\/[\w-]{20,}/g],
];

/** Matches the text of a token after its prefix. The text may be base64, and may have more parts after a dot. */
const BODY = '[\\w-]+(?:[.+/=][\\w+/=-]{8,})*=*';

const KIND_OF: ReadonlyMap<string, readonly [kind: string, fewest: number]> = new Map(
  PREFIXED.flatMap(([kind, prefixes, fewest]) => prefixes.split(' ').map((prefix) => [prefix, [kind, fewest]])),
);

const PREFIX_AND_BODY = new RegExp(
  `(?<![\\w.+]|[A-Za-z0-9]-)(${longestFirst(KIND_OF.keys()).join('|')})(${BODY})`,
  'g',
);

function longestFirst(prefixes: Iterable<string>): readonly string[] {
  const ordered = [...prefixes].sort((a, b) => b.length - a.length);
  return ordered.map((prefix) => prefix.replace(/[.$/]/g, '\\$&'));
}

/**
 * Whether the text after a known prefix is a token. It is one if it looks random, or has a part of at least 16 characters
 * that is not made of words.
 */
function isBody(body: string): boolean {
  return looksRandom(body) || body.split(/[^A-Za-z0-9]+/).some((part) => part.length >= 16 && !hasOnlyWords(part));
}

/**
 * A quick test: every token has at least 12 letters, digits, `_` or `-` in a row. Few words are that long. Only in an Azure
 * token dots may interrupt them, so its `Q~` is searched instead.
 */
const LONG_PART = /\b[\w-]{12,}|Q~/g;
/** A second quick test: nearly all tokens have digits. Only AWS key ids and Hugging Face tokens may have none. */
const TELLING = /\d|[A-Z]{16}|hf_|api_org_/;
const SPACE = 32;

/**
 * Finds tokens of known services. Takes linear time: the patterns are tried only on a run of characters between two blanks,
 * and only if it has a long part.
 */
export function* findTokens(text: string): Iterable<SecretFinding> {
  let end = 0;
  for (const { index } of text.matchAll(LONG_PART)) {
    if (index < end) continue;
    let start = index;
    while (start > end && text.charCodeAt(start - 1) > SPACE) start--;
    end = findMatchEnd(/\S+/y, text, index);
    const run = text.slice(start, end);
    if (!TELLING.test(run)) continue;
    for (const finding of tokensIn(run)) yield { ...finding, index: start + finding.index };
  }
}

function* tokensIn(run: string): Iterable<SecretFinding> {
  for (const { index, 0: token, 1: prefix = '', 2: body = '' } of run.matchAll(PREFIX_AND_BODY)) {
    const [kind, fewest] = KIND_OF.get(prefix) ?? ['token', 0];
    if (body.length >= fewest && isBody(body) && !isPlaceholder(body)) yield { kind, index, length: token.length };
  }
  for (const [kind, pattern] of SHAPED)
    for (const { index, 0: token } of run.matchAll(pattern))
      if (!isPlaceholder(token)) yield { kind, index, length: token.length };
}

/**
 * Whether a text looks random. A random text mixes digits, small letters and capitals in no order, so that its
 * sequences of one kind have only two or three characters. In words, dates and names of code, the sequences are longer.
 * A capital and the small letters after it count as one sequence.
 */
export function looksRandom(text: string): boolean {
  const runs = text.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  const length = runs.reduce((sum, run) => sum + run.length, 0);
  if (runs.some((run) => run.length > MAX_WORD_LETTERS && !/\d/.test(run))) return true;
  if (length < 8 || runs.length / length < FEWEST_RUNS) return false;
  return new Set(text.toLowerCase()).size >= Math.min(8, length / 2);
}

/** Maximum number of letters in a word. A longer one is treated as random. */
export const MAX_WORD_LETTERS = 24;

/**
 * Minimum number of sequences per character in a text that looks random; see {@link looksRandom}. Words have 0.2,
 * hexadecimal digits 0.45, base 32 0.3.
 */
const FEWEST_RUNS = 0.24;

/** Whether a text is a placeholder for a secret: `xxxx`, `your-key-here`. */
export function isPlaceholder(text: string): boolean {
  const signs = new Set(text.replace(/[^\p{L}\p{N}]/gu, ''));
  return signs.size <= 1 || (signs.size <= 3 && text.length >= 8) || isStandIn(text);
}

/**
 * Whether a word such as "example" makes a text a placeholder. It does not if the rest of the text looks random:
 * `AKIA…EXAMPLE`, from the documentation of AWS, counts as a key.
 */
function isStandIn(text: string): boolean {
  if (!STAND_IN.test(text)) return false;
  const rest = text.replaceAll(new RegExp(STAND_IN, 'gi'), '');
  return rest.length < 12 || !looksRandom(rest);
}

const STAND_IN = /x{4,}|\*{3}|•{3}|\.{3}|…|your|example|placeholder|change.?me|redacted|dummy|sample|insert|replace/i;

/**
 * Whether a value after a name such as "password" is not a secret: a number, words, a variable, a path, a placeholder, or
 * code.
 */
export function isHarmlessValue(value: string): boolean {
  if (isPlaceholder(value) || hasOnlyWords(value) || HARMLESS.some((form) => form.test(value))) return true;
  return PATH.test(value) && !value.split(/[/\\:]/).some((part) => part.length >= 12 && looksRandom(part));
}

const HARMLESS: readonly RegExp[] = [
  // A number, date, time, size or duration.
  /^[-+~≈]?\d[\d.,:_/+%-]*(?:T\d[\d:.]*Z?)?\p{L}{0,4}$/u,
  // A variable or a template.
  /^\$[A-Za-z_]\w*$|\$\{|\$\(|\$\[|\{\{|\}\}|^[#@]?\{|^%\w+%$|^<|^\[|^@\w+@$|^![A-Z]|^&\w+$|^__\w+__$/u,
  // Code: a call, a member, an index.
  /^[\w.:>-]+\(|^[\w.]+\[/,
  // The name of a hash method, standard, version or product that ends with a number: `sha-256`.
  /^(?:(?:base|sha|md|utf|aes|argon|bcrypt|scrypt|pbkdf|rsa|ed|ecdsa|hs|rs|es|win|1password|oauth|v|ipv|http|tls|totp)-?\d[\w-]*|1password|2fa|\d+-\p{L}+|sha256:.*)$/iu,
];

const PATH = /^(?:[~.]{0,2}[/\\]|[A-Za-z]:[/\\]|[a-z][a-z\d+.-]{1,20}:)|[/\\]/;

/** Whether a value consists of words, also joined ones: `created_at`, `secrets.NPM_TOKEN`, `getPassword`. */
function hasOnlyWords(value: string): boolean {
  const parts = value.split(JOINTS).filter((part) => part !== '');
  return parts.every((part) => {
    if (!/^[\p{L}\p{M}'’]{1,24}$/u.test(part)) return false;
    const humps = part.match(/\p{Lu}?[^\p{Lu}]+|\p{Lu}+/gu) ?? [];
    return humps.length === 1 || part.length <= 4 || part.length / humps.length >= 3;
  });
}

const JOINTS = /[_.:/@?! -]+/;

/** Whether a value consists of words, each with or without a number at its end: `db-creds-2`, `hz-31`, `hunter2`. */
export function hasOnlyNumberedWords(value: string): boolean {
  return value.split(JOINTS).every((part) => {
    const { 1: letters = '' } = /^(.*?)(?:\d+\p{L}?)?$/u.exec(part) ?? [];
    return hasOnlyWords(letters);
  });
}
