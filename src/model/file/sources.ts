/** A model file that can be downloaded, as its publisher describes it. */
interface ModelSource {
  readonly name: string;
  readonly address: string;
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  readonly licence: string;
}

/**
 * The model files that `models get` knows, the proposed one first. An address names one version of a file, so what it leads
 * to never changes. The comment at each file names a public page that states its address, size and digest.
 */
export const MODEL_SOURCES: readonly ModelSource[] = [
  // https://github.com/yaroshenkopavel/LiliyaCore-: android-offline-semantic-provider/ci/reproduce_semantic_model_q8.sh
  {
    name: 'multilingual-e5-small',
    address:
      'https://huggingface.co/TwinSunsLLC/multilingual-e5-small-gguf/resolve/b6cac9615d4ecce28d7f22539b7322d695fc2886/multilingual-e5-small-q8_0.gguf',
    bytes: 132_439_008,
    sha256: 'e011debc1208e31bf7b6aebee2d9fc8bd2ca11694a77ed66ac9d0c9d0a877c93',
    licence: 'MIT',
  },
  // https://github.com/sendhil/qmd: docs/UPSTREAM_MAINTENANCE.md
  {
    name: 'embeddinggemma-300m',
    address:
      'https://huggingface.co/ggml-org/embeddinggemma-300M-GGUF/resolve/0f741b5a6585bd53aeb15cd1372c56f2a0f65e12/embeddinggemma-300M-Q8_0.gguf',
    bytes: 333_590_944,
    sha256: 'b5ce9d77a3fc4b3b39ccb5643c36777911cc4eb46a66962eadfa3f5f60490d63',
    licence: 'Gemma Terms of Use (https://ai.google.dev/gemma/terms), which forbid some uses',
  },
  // https://github.com/omnesis-dev/Omnesis: scripts/test-embedder.sh
  {
    name: 'qwen3-embedding-0.6b',
    address:
      'https://huggingface.co/Qwen/Qwen3-Embedding-0.6B-GGUF/resolve/370f27d7550e0def9b39c1f16d3fbaa13aa67728/Qwen3-Embedding-0.6B-Q8_0.gguf',
    bytes: 639_150_592,
    sha256: '06507c7b42688469c4e7298b0a1e16deff06caf291cf0a5b278c308249c3e439',
    licence: 'Apache-2.0',
  },
];
