"""Makes vectors.npz: the vectors of the entries of words.json by two encoders. Usage: encode.py WORDS.json MINILM_FOLDER OUT

The multilingual encoder (multilingual-e5-small) gets each entry as a query of one word, and gives the mean of its states.
The English one (all-MiniLM-L6-v2) gets the entries that English has.
"""
import json, sys
import numpy as np
import e5, minilm

def pieces_of(entry, pieces, number, score):
    """The pieces of an entry: for a word, of that of its forms (small, capital, all capitals) that needs the fewest."""
    if entry.startswith('▁'):
        word = entry[1:]; forms = [e5.tok(f) for f in dict.fromkeys([word, word[:1].upper() + word[1:], word.upper()])]
        return min(forms, key=lambda ids: (len(ids), -sum(score[i] for i in ids)))
    if entry in number: return [number[entry]]
    ids = e5.tok(entry)
    return ids[1:] if len(ids) > 1 and pieces[ids[0]][0] == '▁' else ids

def multilingual(entries):
    pieces = e5.pieces(); number = {s: i for i, (s, _) in enumerate(pieces)}; score = [s for _, s in pieces]; before = e5.tok('query:')
    ids = [pieces_of(entry, pieces, number, score) for entry in entries]; out = np.zeros((len(entries), 384), np.float32)
    for a in range(0, len(entries), 128):
        part = ids[a:a + 128]; states, off = e5.forward([before + i for i in part], hidden=True)
        for k, i in enumerate(part):
            if i: out[a + k] = states[off[k] + 1 + len(before):off[k + 1] - 1].mean(0)
    return out

def english(entries, freq):
    out = np.zeros((len(entries), 384), np.float32); has = np.array(['en' in f for f in freq]); inside = minilm.T.get_vocab(); by = {}
    for i in np.nonzero(has)[0]:
        piece = '##' + entries[i]
        ids = [101, inside[piece], 102] if not entries[i].startswith('▁') and piece in inside else minilm.T.encode(entries[i].lstrip('▁')).ids
        by.setdefault(len(ids), []).append((i, ids))
    for same in by.values():
        for a in range(0, len(same), 1024):
            part = same[a:a + 1024]; out[[i for i, _ in part]] = minilm.hidden(np.array([ids for _, ids in part])).mean(1)
    return out, has

if __name__ == '__main__':
    words, folder, target = sys.argv[1:4]; pairs = json.load(open(words)); entries, freq = [w for w, _ in pairs], [f for _, f in pairs]
    minilm.load(folder); x, has = english(entries, freq); np.savez(target, multi=multilingual(entries), english=x, has_english=has)
