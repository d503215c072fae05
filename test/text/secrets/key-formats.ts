/** A line of text with one secret in it. */
export interface SecretLine {
  readonly format: string;
  readonly text: string;
  /** The part of the line that must not remain, without the public prefix of a token. */
  readonly secret: string;
}

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const HEX = `${DIGITS}abcdef`;
const BASE36 = LOWER + DIGITS;
const BASE62 = LOWER + UPPER + DIGITS;
const WORD = `${BASE62}_-`;

/**
 * Pseudo-random characters, equal in every run. The file holds no whole token, since repository scanners would report it.
 */
function random(seed: string, length: number, alphabet: string): string {
  let state = 2_166_136_261;
  for (const char of seed) state = Math.imul(state ^ char.charCodeAt(0), 16_777_619) >>> 0;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const char = alphabet[(state >>> 8) % alphabet.length] ?? '';
    // No dash at either end, so that the end of the token is clear.
    if (/[\w]/.test(char) || (text !== '' && text.length < length - 1)) text += char;
  }
  return text;
}

/** A token with a public prefix in a sentence without words that announce a secret. */
function token(format: string, prefix: string, length: number, alphabet: string, suffix = ''): SecretLine {
  const secret = random(format, length, alphabet) + suffix;
  return { format, text: `W @CI uses ${prefix}${secret} since Monday`, secret };
}

function shape(format: string, secret: string, text: (secret: string) => string): SecretLine {
  return { format, text: text(secret), secret };
}

const jwt = ['{"alg":"HS256","typ":"JWT"}', '{"sub":"1234567890","name":"Jo"}']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

/** Token formats from the public documentation of their issuers. */
export const TOKENS: readonly SecretLine[] = [
  token('GitLab personal access token', 'glpat-', 20, WORD),
  token('GitLab trigger token', 'glptt-', 40, HEX),
  token('GitLab runner token', 'glrt-', 20, WORD),
  token('GitLab deploy token', 'gldt-', 20, WORD),
  token('GitHub classic token', 'ghp_', 36, BASE62),
  token('GitHub app token', 'ghs_', 36, BASE62),
  token('GitHub fine-grained token', 'github_pat_', 82, `${BASE62}_`),
  token('npm', 'npm_', 36, BASE62),
  token('PyPI', 'pypi-AgEIcHlwaS5vcmc', 80, WORD),
  token('Stripe live key', 'sk_live_', 24, BASE62),
  token('Stripe restricted key', 'rk_live_', 99, BASE62),
  token('Stripe webhook secret', 'whsec_', 32, BASE62),
  token('Hugging Face', 'hf_', 34, BASE62),
  token('SendGrid', 'SG.', 22, WORD, `.${random('SendGrid 2', 43, WORD)}`),
  token('DigitalOcean', 'dop_v1_', 64, HEX),
  token('Vault service token', 'hvs.', 95, WORD),
  token('age', 'AGE-SECRET-KEY-1', 58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'),
  token('Telegram bot', '', 10, DIGITS.slice(1), `:AA${random('Telegram bot 2', 33, WORD)}`),
  token('Azure AD client secret', '', 3, BASE62, `8Q~${random('Azure AD 2', 34, BASE62)}`),
  token('Groq', 'gsk_', 52, BASE62),
  token('xAI', 'xai-', 80, BASE62),
  token('OpenAI', 'sk-', 20, BASE62, `T3BlbkFJ${random('OpenAI 2', 20, BASE62)}`),
  token('OpenAI project key', 'sk-proj-', 74, WORD, `T3BlbkFJ${random('OpenAI 3', 74, WORD)}`),
  token('Anthropic', 'sk-ant-api03-', 93, WORD, 'AA'),
  token('OpenRouter', 'sk-or-v1-', 64, HEX),
  token('AWS access key id', 'AKIA', 16, `${UPPER}234567`),
  token('Google API key', 'AIza', 35, WORD),
  token('Google OAuth client secret', 'GOCSPX-', 28, WORD),
  token('Google OAuth access token', 'ya29.', 120, WORD),
  token('Slack bot token', 'xoxb-', 11, DIGITS, `-${random('Slack 2', 12, DIGITS)}-${random('Slack 3', 24, BASE62)}`),
  token('Slack app token', 'xapp-1-A0', 9, UPPER, `-${random('Slack 5', 13, DIGITS)}-${random('Slack 6', 64, HEX)}`),
  token(
    'Slack webhook',
    'https://hooks.slack.com/services/T0',
    8,
    UPPER,
    `/B0ABCDEFG/${random('Slack 7', 24, BASE62)}`,
  ),
  token('Discord bot', 'MTE', 23, BASE62, `.G${random('D 1', 5, BASE62)}.${random('D 2', 38, WORD)}`),
  token('Discord webhook', 'https://discord.com/api/webhooks/', 18, DIGITS, `/${random('D 3', 68, WORD)}`),
  token('Twilio API key', 'SK', 32, HEX),
  token('Mailgun', 'key-', 32, HEX),
  token('Mailchimp', '', 32, HEX, '-us12'),
  token('Shopify', 'shpat_', 32, HEX),
  token('Square', 'sq0atp-', 22, WORD),
  token('Linear', 'lin_api_', 40, BASE62),
  token('Notion', 'ntn_', 46, BASE62),
  token('Figma', 'figd_', 40, WORD),
  token('Atlassian', 'ATATT3xFfGF0', 176, WORD, `=${random('Atlassian 2', 8, `${DIGITS}ABCDEF`)}`),
  token('Databricks', 'dapi', 32, HEX),
  token('Grafana', 'glsa_', 32, BASE62, `_${random('Grafana 2', 8, HEX)}`),
  token('Sentry', 'sntryu_', 64, HEX),
  token('New Relic', 'NRAK-', 27, UPPER + DIGITS),
  token('Fly.io', 'FlyV1 fm2_', 120, `${BASE62}+/`),
  token('Netlify', 'nfp_', 40, BASE62),
  token('Supabase', 'sbp_', 40, HEX),
  token('PlanetScale', 'pscale_tkn_', 43, WORD),
  token('Doppler', 'dp.pt.', 43, BASE62),
  token('Postman', 'PMAK-', 24, HEX, `-${random('Postman 2', 34, HEX)}`),
  token('RubyGems', 'rubygems_', 48, HEX),
  token('NuGet', 'oy2', 43, BASE36),
  token('Docker Hub', 'dckr_pat_', 27, WORD),
  token('Terraform Cloud', '', 14, BASE62, `.atlasv1.${random('Terraform 2', 67, WORD)}`),
  token('Airtable', 'pat', 14, BASE62, `.${random('Airtable 2', 64, HEX)}`),
  token('HubSpot', 'pat-na1-', 8, HEX, '-1b2c-4d5e-8f90-0a1b2c3d4e5f'),
  token('Tailscale', 'tskey-auth-', 12, BASE62, `-${random('Tailscale 2', 32, BASE62)}`),
  token('Perplexity', 'pplx-', 48, BASE62),
  token('Replicate', 'r8_', 37, BASE62),
  token('Pulumi', 'pul-', 40, HEX),
  token('Cloudflare origin CA', 'v1.0-', 24, HEX, `-${random('Cloudflare 2', 146, HEX)}`),
  shape('JSON Web Token', random('jwt', 43, WORD), (secret) => `the header held ${jwt}.${secret} then`),
  shape(
    'PEM private key',
    random('pem', 64, BASE62),
    (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n${secret}\n-----END PRIVATE KEY-----`,
  ),
  shape(
    'OpenSSH private key in one line',
    random('openssh', 64, BASE62),
    (secret) => `-----BEGIN OPENSSH PRIVATE KEY-----\\n${secret}\\n-----END OPENSSH PRIVATE KEY-----`,
  ),
];

const HEX32 = random('hex', 32, HEX);
const MIXED = random('mixed', 40, BASE62);
const PASSWORD = 'tr0ub4dor&3';

/** Notations of a secret that has no format of its own. */
export const SHAPES: readonly SecretLine[] = [
  shape('bearer header', MIXED, (it) => `Authorization: Bearer ${it}`),
  shape('basic header', 'amFuZTpodW50ZXIyMzQ=', (it) => `Authorization: Basic ${it}`),
  shape('header of another name', HEX32, (it) => `curl -H "X-API-Key: ${it}" https://api.example.com/v1`),
  shape('curl -u', PASSWORD, (it) => `curl -u jane:${it} https://api.example.com`),
  shape('URL with a password', PASSWORD, (it) => `postgres://app:${it}@db.example.com:5432/shop`),
  shape('URL with a password and no user', PASSWORD, (it) => `redis://:${it}@cache:6379/0`),
  shape('MongoDB URL', 'hunter2', (it) => `mongodb+srv://root:${it}@cluster0.example.net/test`),
  shape('token as the user of a URL', MIXED, (it) => `git clone https://${it}@github.com/acme/shop.git`),
  shape('otpauth', 'JBSWY3DPEHPK3PXP', (it) => `otpauth://totp/Acme:jane@acme.com?secret=${it}&issuer=Acme`),
  shape('query of a URL', HEX32, (it) => `https://api.example.com/v1/list?page=2&api_key=${it}&sort=asc`),
  shape('access token in a query', MIXED, (it) => `GET /me?access_token=${it} HTTP/1.1`),
  shape(
    'signature of Azure',
    `${random('sas', 42, BASE62)}%3D`,
    (it) => `https://x.blob.core.windows.net/c?sv=2024-11-04&se=2030-01-01&sig=${it}`,
  ),
  shape(
    'storage key of Azure',
    `${random('ak', 86, BASE62)}==`,
    (it) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${it};EndpointSuffix=core.windows.net`,
  ),
  shape('JSON', HEX32, (it) => `{"name": "shop", "api_key": "${it}", "retries": 3}`),
  shape('JSON with a password', PASSWORD, (it) => `{"user":"jane","password":"${it}"}`),
  shape('escaped JSON', PASSWORD, (it) => `"{\\"user\\":\\"jane\\",\\"password\\":\\"${it}\\"}"`),
  shape('YAML', PASSWORD, (it) => `  db_password: ${it}`),
  shape('TOML', MIXED, (it) => `client_secret = "${it}"`),
  shape('environment', HEX32, (it) => `DD_API_KEY=${it}`),
  shape('environment of a shell', MIXED, (it) => `export CLOUDFLARE_API_TOKEN='${it}'`),
  shape('secret key of AWS', `${random('aws', 38, `${BASE62}+/`)}/x`, (it) => `aws_secret_access_key = ${it}`),
  shape('environment of Docker', PASSWORD, (it) => `docker run -e POSTGRES_PASSWORD=${it} postgres`),
  shape('flag with =', PASSWORD, (it) => `deploy --password=${it} --env prod`),
  shape('flag with a space', MIXED, (it) => `deploy --token ${it} --env prod`),
  shape('camel case', MIXED, (it) => `const apiKey = "${it}";`),
  shape('property of Java', PASSWORD, (it) => `spring.datasource.password=${it}`),
  shape('connection string', PASSWORD, (it) => `Server=db;Database=shop;User Id=sa;Password=${it};`),
  shape('XML', PASSWORD, (it) => `<password>${it}</password>`),
  shape('npmrc', HEX32, (it) => `//registry.example.com/:_authToken=${it}`),
  shape('netrc', PASSWORD, (it) => `machine api.example.com login jane password ${it}`),
  shape('prose', 'hunter2', (it) => `the password is ${it}`),
  shape('prose with a place', 'Blau!Wal77', (it) => `The wifi password for the guest network is ${it}.`),
  shape('prose in German', 'Blau!Wal77', (it) => `Passwort: ${it}`),
  shape('prose in Chinese', 'Blau!Wal77', (it) => `数据库密码是${it}`),
  shape('label in bold', 'Blau!Wal77', (it) => `**Password:** ${it}`),
  shape('row of a table', 'Blau!Wal77', (it) => `| password | ${it} |`),
  shape('cell of code', MIXED, (it) => `API key: \`${it}\``),
];

/** `${name}`, as a shell and a workflow write it. */
const variable = (name: string): string => `$\{${name}}`;

/** Similar texts without a secret. */
export const HARMLESS: readonly string[] = [
  'W the fix is in commit 9fceb02d0ae598e95dc970b74767f19372d61af8 of main',
  'W the image is sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  'W the request 550e8400-e29b-41d4-a716-446655440000 failed',
  'W integrity sha512-dPnplMyjJYpVCJDNTjpUA8c/AfoHbWANJJJWKroK50DGGhAB4Oumzk+XinBMyMMAwgOsjU9CB9lUHXDvObMVCg==',
  'MAX_TOKEN=4096',
  'max_tokens: 8192',
  'SORT_KEY=created_at',
  'PRIMARY_KEY=user_id',
  'API_KEY=$FOO',
  `API_KEY=${variable('OPENAI_API_KEY')}`,
  `token: ${variable('{ secrets.NPM_TOKEN }')}`,
  'const token = process.env.GITHUB_TOKEN;',
  'api_key = os.environ["OPENAI_API_KEY"]',
  'api_key = os.getenv("OPENAI_API_KEY")',
  'api_key: <your-key>',
  'API_KEY=your_api_key_here',
  'OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx',
  'password: xxxx',
  'password: ********',
  'PASSWORD=changeme',
  'TOKEN=%GITHUB_TOKEN%',
  'password: {{ vault_db_password }}',
  'password: "op://Private/db/password"',
  'SSL_KEY=/etc/ssl/private/server.key',
  'SECRET_FILE=./secrets/db.txt',
  'the password policy2026 document is in the wiki',
  'The password is in the safe.',
  'The password must have 12 characters.',
  'The API key rotation is on 2026-05-01.',
  'the token bucket refills 100/s',
  'token: string | null',
  'password: string;',
  'password = None',
  'secret: true',
  'PASSWORD_MIN_LENGTH=12',
  'TOKEN_TTL=3600s',
  'token_type: bearer',
  'curl -u $USER:$PASS https://api.example.com',
  'curl -H "Authorization: Bearer $TOKEN" https://api.example.com',
  'Authorization: Bearer <token>',
  'git clone git@github.com:acme/shop.git',
  'ssh://git@git.example.com:2222/acme/shop.git',
  'postgres://localhost:5432/shop',
  `postgres://app:${variable('DB_PASSWORD')}@db:5432/shop`,
  'https://jane@example.com/calendar',
  'https://docs.google.com/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit',
  'https://example.com/search?key=value&token_type=bearer',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'W see memory/2025-11-27.md#L14 ^f-a1b2c3d4e5f6g',
  'W released 2.14.0-beta.3+build.20260301 on 2026-03-01T10:15:00Z',
  'W the key is under the mat',
  'W Monkey=banana and keyboard: qwertz',
  'W the sk-learn and task-runner-2026-migration-of-billing-service branches are merged',
  'W IBAN DE89 3704 0044 0532 0130 00, phone +49 170 1234567',
  'W fe80::1ff:fe23:4567:890a and 00:1A:2B:3C:4D:5E are the addresses',
  'W ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBw8qk4H0y2rQmXcZ1uD3vTtqJ7pVn5oKfL6sYhE9aRg jane@laptop',
  'W InternalServerErrorResponseBuilderFactory2 throws in test_user_authentication_token_refresh_v2',
  'W arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf is read at start',
  'W Secret Santa: Robin draws the names; the secret is salt',
  'W press Ctrl+K, key: F12, then token=null',
  'W 我的密码很长，密码要定期更换',
  'W Das Passwort ist bekannt, das Token ist abgelaufen',
];
