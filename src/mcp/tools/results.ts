import type { RecallResult } from '../../recall/request.js';
import type { ShapeOfKeys } from '../shape.js';

const EVIDENCE = { for: 'any', against: 'any' } as const;

export const RECALL_RESULT: ShapeOfKeys<RecallResult> = {
  id: 'text',
  kind: 'text',
  'pageType?': 'text',
  timestamp: { orNull: 'text' },
  validFrom: { orNull: 'text' },
  validTo: { orNull: 'text' },
  entities: ['text'],
  content: 'text',
  'confidence?': 'number',
  'evidence?': EVIDENCE,
  source: 'text',
  'heading?': ['text'],
  'title?': 'text',
  'standsFor?': [{ content: 'text', entities: ['text'], source: 'text' }],
  path: 'text',
  startLine: 'number',
  endLine: 'number',
  score: 'number',
  'superseded?': 'text',
  'newer?': 'text',
  'over?': 'text',
  'beside?': 'text',
  'why?': 'text',
};
