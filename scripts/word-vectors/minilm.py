"""The English encoder all-MiniLM-L6-v2 in numpy."""
from math import sqrt
import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

W = {}; T = None

def load(folder):
    """Reads the weights and the tokenizer. Call it first."""
    global T
    W.update({k.replace('bert.', ''): v.astype(np.float32) for k, v in load_file(f'{folder}/model.safetensors').items()})
    T = Tokenizer.from_file(f'{folder}/tokenizer.json'); T.no_padding(); T.no_truncation()

def ln(x,p):
    m=x.mean(-1,keepdims=True); v=((x-m)**2).mean(-1,keepdims=True); return (x-m)/np.sqrt(v+1e-12)*W[p+'.weight']+W[p+'.bias']
def gelu(x): return 0.5*x*(1+erf(x*0.70710678))
def hidden(ids):
    """ids [B,L] all the same length"""
    B,L=ids.shape; x=W['embeddings.word_embeddings.weight'][ids]+W['embeddings.position_embeddings.weight'][:L]+W['embeddings.token_type_embeddings.weight'][0]
    x=ln(x,'embeddings.LayerNorm')
    for l in range(6):
        p=f'encoder.layer.{l}.'; lin=lambda y,n: y@W[p+n+'.weight'].T+W[p+n+'.bias']
        q,k,v=[lin(x,'attention.self.'+n).reshape(B,L,12,32).transpose(0,2,1,3) for n in ('query','key','value')]
        a=q@k.transpose(0,1,3,2)/sqrt(32); a=np.exp(a-a.max(-1,keepdims=True)); a/=a.sum(-1,keepdims=True)
        c=(a@v).transpose(0,2,1,3).reshape(B,L,384)
        x=ln(x+lin(c,'attention.output.dense'),p+'attention.output.LayerNorm'); x=ln(x+lin(gelu(lin(x,'intermediate.dense')),'output.dense'),p+'output.LayerNorm')
    return x
