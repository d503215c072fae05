"""Makes the model file. Usage: pack.py WORDS.json VECTORS.npz TEXTS_FOLDER OUT

WORDS.json is made by words.py, VECTORS.npz by encode.py. TEXTS_FOLDER has a text file for each language (lines of it show
how large the numbers of a text's vector usually are).
"""
import glob, json, sys
import numpy as np

DIMENSIONS, BYTES, CENTROIDS = 192, 48, 256
# Words more frequent than this count less (SIF).
FREQUENT = 3e-4
# The strongest directions say how frequent a word is, not what it means.
DROPPED = 2
# Foreign words take the vectors of this many English words.
NEIGHBOURS, SHARPNESS = 8, 20.0

def unit(x): return x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)

def centred(x, language):
    x = unit(x.astype(np.float32))
    for one in set(language): x[language == one] -= x[language == one].mean(0)
    return unit(x)

def bridged(entries, freq, multi, english, has_english):
    """The vectors of the English encoder for all entries: foreign ones by their nearest English words in the other encoder."""
    n = len(entries); language = np.array([max(f, key=f.get) for f in freq])
    target = np.array([bool(has_english[i] and entries[i].startswith('▁') and len(entries[i]) > 3 and freq[i].get('en', 0) >= 2e-7 and freq[i]['en'] >= 0.12 * max(freq[i].values())) for i in range(n)])
    own = np.array([bool(has_english[i] and freq[i].get('en', 0) >= 0.5 * max(freq[i].values())) for i in range(n)])
    x = centred(multi, language); targets = x[target]; mean = english[target].mean(0); values = english[target] - mean
    out = np.zeros((n, english.shape[1]), np.float32)
    for a in range(0, n, 4096):
        s = x[a:a + 4096] @ targets.T; near = np.argpartition(-s, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
        s = np.take_along_axis(s, near, 1); w = np.exp(SHARPNESS * (s - s.max(1, keepdims=True))); w /= w.sum(1, keepdims=True)
        out[a:a + 4096] = np.einsum('ij,ijk->ik', w, values[near])
    centred_english = english - mean; out[own] = centred_english[own]
    for i in np.nonzero(has_english & ~own)[0]:
        share = freq[i].get('en', 0) / sum(freq[i].values()); out[i] = share * centred_english[i] + (1 - share) * out[i]
    print('English words', int(target.sum()), flush=True)
    return np.concatenate([out / np.linalg.norm(out, axis=1).mean(), x], 1), language

def reduced(x, freq, p):
    """Without the mean of each language, turned to the strongest directions, frequent words made small."""
    languages = sorted({l for f in freq for l in f}); share = np.zeros((len(freq), len(languages)), np.float32)
    for i, f in enumerate(freq):
        for l, v in f.items(): share[i, languages.index(l)] = v / sum(f.values())
    x = x - share @ np.stack([(x * share[:, [j]]).sum(0) / share[:, j].sum() for j in range(len(languages))])
    w, u = np.linalg.eigh(x.T @ x / len(x)); u = u[:, np.argsort(-w)][:, DROPPED:DROPPED + DIMENSIONS]
    return ((x @ u) * (FREQUENT / (FREQUENT + p))[:, None]).astype(np.float32)

def quantised(x):
    rng = np.random.default_rng(1); group = DIMENSIONS // BYTES; sample = rng.choice(len(x), min(len(x), 20000), replace=False)
    codes = np.zeros((len(x), BYTES), np.uint8); centroids = np.zeros((BYTES, CENTROIDS, group), np.float32)
    for s in range(BYTES):
        y = x[:, np.arange(group) * BYTES + s]; t = y[sample]; c = t[rng.choice(len(t), CENTROIDS, replace=False)].copy()
        for _ in range(9):
            a = np.argmin((c * c).sum(1)[None] - 2 * t @ c.T, 1); n = np.bincount(a, minlength=CENTROIDS)
            sums = np.stack([np.bincount(a, t[:, j], CENTROIDS) for j in range(group)], 1); c[n > 0] = sums[n > 0] / n[n > 0, None]
        centroids[s] = c
        for i in range(0, len(y), 16384): codes[i:i + 16384, s] = np.argmin((c * c).sum(1)[None] - 2 * y[i:i + 16384] @ c.T, 1)
    return codes, centroids

def hashes(word):
    x, y = 0x811c9dc5, 0x9e3779b9; b = word.encode('utf-16-le')
    for i in range(0, len(b), 2):
        c = b[i] | b[i + 1] << 8; x = ((x ^ c) * 0x01000193) & 0xffffffff; y = ((y ^ c) * 0x85ebca6b) & 0xffffffff
    return x, y >> 24

def write(out, entries, cost, codes, centroids, spread):
    h = [hashes(w) for w in entries]; order = sorted(range(len(entries)), key=lambda i: h[i])
    header = json.dumps(dict(rows=len(entries), dim=DIMENSIONS, m=BYTES, spread=spread), separators=(',', ':')).encode(); header += b' ' * (-len(header) % 4)
    body = [np.array([h[i][0] for i in order], np.uint32).tobytes(), centroids.tobytes(), bytes(h[i][1] for i in order), cost[order].tobytes(), codes[order].tobytes()]
    with open(out, 'wb') as file: file.write(b'STA2' + len(header).to_bytes(4, 'little') + header + b''.join(body))
    print(out, file and sum(map(len, body)) / 1e6, 'MB; entries with equal hashes', len(h) - len(set(h)))

def usual_size(entries, vectors, folder):
    """Root mean square of each number of the vectors, of length 1, of the lines of some texts; words are split at spaces."""
    from words import runs
    at = {w: i for i, w in enumerate(entries)}; found = []
    for path in sorted(glob.glob(f'{folder}/*.txt')):
        lines = open(path, encoding='utf8').read().split('\n')
        for line in lines[::max(1, len(lines) // 1500)]:
            known = [at[r] for r in runs(line) if r in at]
            if len(known) > 2: found.append(vectors[known].sum(0))
    return [round(float(v), 4) for v in np.sqrt((unit(np.array(found)) ** 2).mean(0))]

if __name__ == '__main__':
    words, vectors, texts, out = sys.argv[1:5]
    pairs = json.load(open(words)); entries, freq = [w for w, _ in pairs], [f for _, f in pairs]; p = np.array([max(f.values()) for f in freq])
    z = np.load(vectors); x, _ = bridged(entries, freq, z['multi'], z['english'], z['has_english'])
    x = reduced(x, freq, p); codes, centroids = quantised(x)
    write(out, entries, np.clip(np.rint(-np.log(p) * 10), 0, 255).astype(np.uint8), codes, centroids, usual_size(entries, x, texts))
