// An embedding server that costs next to nothing: every input gets one of some prepared vectors.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const VECTORS = Array.from({ length: 64 }, (_, i) =>
  JSON.stringify(Array.from({ length: 768 }, (_, j) => Math.sin(i * 768 + j) / 20)),
);
const server = createServer(async (request, response) => {
  const body = await text(request);
  if (request.url === '/api/tags') return response.end('{"models":[{"name":"embeddinggemma:latest","digest":"d"}]}');
  const { input } = JSON.parse(body);
  response.end(`{"embeddings":[${input.map((_, i) => VECTORS[i % VECTORS.length]).join(',')}]}`);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
