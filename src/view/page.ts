import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fail } from '../base/failure.js';
import { readBytes, readVersion, removeFile } from '../workspace/files.js';
import { packageFolder } from '../workspace/templates.js';
import type { PageData } from './page-data.js';

/** Marker near the beginning of every page that we made. A file without it is not ours. */
export const PAGE_MARKER = '<meta name="generator" content="openclaw-memory view">';

/**
 * Renders the page as one file that loads nothing else. The content security policy allows only this script and style,
 * by hash. The data is JSON in a non-executable script element, escaped so that no text can close it.
 */
export function renderPage(data: PageData): string {
  const [script, style] = [part('view.js'), part('view.css')];
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
${PAGE_MARKER}
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(data.workspace)} · memory</title>
<style>${style}</style>
</head>
<body>
<noscript>This page needs JavaScript. Without it, read the Markdown files, or use openclaw memory recall.</noscript>
<script type="application/json" id="data">${embedded(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** The page with the permission to ask its own server for changes. */
export function asServedPage(html: string): string {
  return html.replace("default-src 'none'", "default-src 'none'; connect-src 'self'");
}

/** Approximate size of a page without its data, in bytes. */
export function estimateEmptyPageBytes(): number {
  return Buffer.byteLength(part('view.js')) + Buffer.byteLength(part('view.css')) + HEAD_BYTES;
}

const HEAD_BYTES = 4_000;

/** Converts data to JSON that is safe inside HTML. */
function embedded(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function part(name: string): string {
  try {
    return readBytes(join(packageFolder(), 'dist', 'view', name)).toString('utf8');
  } catch (error) {
    return fail('io', `the ${name} of the page can't be read`, 'reinstall openclaw-memory', error);
  }
}

/** Default path of the page. */
export function buildDefaultPagePath(stateFolder: string): string {
  return join(stateFolder, 'view.html');
}

/** Deletes the page that was last written to the default path if it contains one of the forgotten texts. */
export function removePageWithTexts(stateFolder: string, texts: readonly string[]): void {
  const path = buildDefaultPagePath(stateFolder);
  const page = readVersion(path)?.bytes.toString('utf8').toLowerCase() ?? '';
  if (texts.some((text) => page.includes(embedded(text).slice(1, -1).toLowerCase()))) removeFile(path);
}
