"""Makes words.json: the entries of the static model, each with its probability in each language.

Sources: see README.md. Usage: words.py SOURCES OUT
"""
import csv, gzip, json, math, os, re, sys, unicodedata
from collections import Counter, defaultdict
import e5

# Number of whole words of each language, by how much text in it the program expects.
WORDS = dict(en=26000, zh=15000, de=14000, fr=11000, es=11000, pt=10000, it=9000, ru=14000, ja=11000, nl=9000, ko=9000)
PIECES = 16000
LONGEST = 24
CJK_CLASS = r"\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
CJK = re.compile(f"[{CJK_CLASS}]")
RUN = re.compile(rf"[{CJK_CLASS}]+|(?:(?![{CJK_CLASS}])[^\W_]|[\u0300-\u036f])+")

def runs(text):
    """The runs of one script class in a text, as the program that uses the model cuts it; a run of letters begins with ▁."""
    for match in RUN.finditer(unicodedata.normalize('NFKC', text).lower()):
        run = match.group(0)
        yield run if CJK.match(run) else '▁' + run

def counts_of_text(path):
    counts = Counter()
    with open(path, encoding='utf8') as lines:
        for line in lines: counts.update(runs(line))
    return counts

def spacy(path):
    counts = Counter()
    for word, log in json.load(gzip.open(path)).items():
        rs = list(runs(word))
        if len(rs) == 1: counts[rs[0]] += math.exp(log)
    return counts

def ngrams(path):
    counts = Counter()
    with open(path, encoding='utf8') as rows:
        for row in csv.DictReader(rows):
            rs = list(runs(row['ngram']))
            if len(rs) == 1: counts[rs[0]] += float(row['freq'])
    return counts

def jieba(path):
    counts = Counter()
    with open(path, encoding='utf8') as rows:
        for row in rows:
            word, n, _ = row.split(' ')
            rs = list(runs(word))
            if len(rs) == 1 and CJK.match(rs[0]): counts[rs[0]] += int(n)
    return counts

KANA = re.compile(r'[\u3040-\u30ff]'); HAN = re.compile(r'[\u4e00-\u9fff]'); HANGUL = re.compile(r'[\uac00-\ud7a3]'); CYRILLIC = re.compile(r'[\u0430-\u044f\u0451]+$')
OTHER_CYRILLIC = re.compile(r'[ієїґўјљњћџђќѓѕ]')
def of_tokenizer(pieces, wanted):
    counts = Counter()
    for piece, score in pieces[4:]:
        if wanted(piece.lower()): 
            for r in list(runs(piece.replace('▁', ' '))) or []:
                counts[r if piece.startswith('▁') or CJK.match(r) else r[1:]] += math.exp(score)
    return counts

def normal(counts):
    total = sum(counts.values()); return {w: c / total for w, c in counts.items()}
def mixed(*parts):
    out = Counter()
    for share, part in parts:
        for w, p in normal(part).items(): out[w] += share * p
    return out

def languages(folder, pieces):
    cv = lambda l: counts_of_text(f'{folder}/common-voice/{l}.txt'); ng = lambda l: ngrams(f'{folder}/ngrams/{l}.csv'); sp = lambda l: spacy(f'{folder}/spacy/{l}_lexeme_prob.json.gz')
    japanese = of_tokenizer(pieces, lambda s: KANA.search(s) and not HANGUL.search(s)); 
    # Words in Chinese characters alone belong to both; half of their probability is Japanese.
    kanji = of_tokenizer(pieces, lambda s: HAN.search(s) and not KANA.search(s))
    for w, p in kanji.items(): japanese[w] += p / 2
    return dict(
        en=sp('en'), de=mixed((.8, sp('de')), (.2, cv('de'))), es=mixed((.8, sp('es')), (.2, cv('es'))),
        fr=mixed((.5, ng('french')), (.5, cv('fr'))), it=mixed((.6, ng('italian')), (.4, cv('it'))), pt=cv('pt'), nl=cv('nl'),
        ru=mixed((.7, ng('russian')), (.3, of_tokenizer(pieces, lambda s: CYRILLIC.match(s.lstrip('▁')) and s.startswith('▁') and not OTHER_CYRILLIC.search(s)))),
        zh=mixed((.8, jieba(f'{folder}/jieba/dict.txt')), (.2, kanji)), ja=japanese,
        ko=mixed((.8, of_tokenizer(pieces, lambda s: bool(HANGUL.search(s)))), (.2, cv('ko'))))

if __name__ == '__main__':
    folder, out = sys.argv[1:3]
    P = e5.pieces(); freq = defaultdict(dict); whole = set(); tails = {}
    for l, counts in languages(folder, P).items():
        ranked = [(w, p) for w, p in sorted(normal(counts).items(), key=lambda wp: -wp[1]) if len(w) <= LONGEST and not re.search(r'\d', w)]
        for w, p in ranked[:WORDS[l]]: freq[w][l] = p; whole.add(w)
        tails[l] = ranked[WORDS[l] // 3:60000]; print(l, len(ranked), ranked[min(len(ranked), WORDS[l]) - 1], flush=True)
    back = defaultdict(lambda: defaultdict(float))
    for l, tail in tails.items():
        for w, p in tail:
            for i in e5.tok(w.lstrip('▁')):
                s = P[i][0].lower(); s = s if w.startswith('▁') else s.lstrip('▁')
                if s and s != '▁': back[s][l] += p * (0.02 if w in whole else 1.0)
    ranked = sorted(back, key=lambda s: -max(back[s].values()))
    letters = [s for s in ranked if len(s.lstrip('▁')) == 1]; longer = [s for s in ranked if len(s.lstrip('▁')) > 1 and s not in whole and '▁' not in s[1:]]
    print('pieces', len(longer), 'letters', len(letters))
    for s in longer[:PIECES] + [s for s in letters if s not in whole]: freq[s].update(back[s])
    for d in '0123456789': freq['▁' + d].setdefault('en', 3e-3); freq[d].setdefault('en', 3e-3)
    for d in [*range(10, 100), *range(1950, 2040)]: freq[f'▁{d}'].setdefault('en', 1e-3)
    for c in 'abcdefghijklmnopqrstuvwxyzäöüßéèàçñабвгдеёжзийклмнопрстуфхцчшщъыьэюя':
        for s in (c, '▁' + c): freq[s].setdefault('en', 1e-6)
    entries = sorted(freq, key=lambda s: -max(freq[s].values()))
    json.dump([[s, freq[s]] for s in entries], open(out, 'w'), ensure_ascii=False); print(len(entries))
