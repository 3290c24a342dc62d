/** Serves the built console from memory, so that no other file of the disk is reachable. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { runtimeConfigElementId, type RuntimeConfig } from '@lanternrock/contract/runtime';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { findEncoding } from './compress.ts';
import type { AppEnv } from './context.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

/** For files whose name contains a hash of their content. */
const immutable = 'public, max-age=31536000, immutable';

/** The URL of a console page contains no dot, so a URL with a dot refers to a file. */
const looksLikeFile = /\./;

interface ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
  readonly etag: string;
}

/**
 * Paths of `auth.html`, the document without the router, with any slashes at the end. All other pages are `index.html`.
 * One expression, because `/\/+$/` takes quadratic time for a path of slashes.
 */
const authPath = /^\/auth(?:\/callback|\/set-password)?\/*$/;

export interface ConsoleOptions {
  /** Directory of the built console. If it does not exist, pages respond with instructions to build it. */
  readonly directory: string;
  readonly runtime: Omit<RuntimeConfig, 'build'>;
}

export interface ConsoleFiles {
  readonly routes: Hono<AppEnv>;
  /** ID of the build. Open pages compare it with the header of API responses to detect an update. */
  readonly build: string;
}

export function loadConsoleFiles({ directory, runtime }: ConsoleOptions): ConsoleFiles {
  const files = readFiles(directory);
  const build = createHash('sha256')
    .update([...files.keys()].sort().join())
    .digest('hex')
    .slice(0, 12);
  for (const name of ['/index.html', '/auth.html']) {
    const file = files.get(name);
    if (file)
      files.set(name, compressFile(withRuntime(file.plain.toString(), { ...runtime, build }), file.type));
  }
  const page = (c: Context<AppEnv>, name: string): Response => {
    const file = files.get(name);
    if (!file) return c.text('The console is not built. Run: npm run build', 503);
    return respond(c, file, 'no-cache');
  };
  const routes = new Hono<AppEnv>()
    .get('/', (c) => c.redirect('/auth', 302))
    // A form that is submitted before the script has loaded must not put a password into a URL.
    .on('POST', ['/auth', '/auth/'], (c) => c.redirect('/auth', 303))
    .on('POST', ['/auth/set-password', '/auth/set-password/'], (c) => c.redirect('/auth/set-password', 303))
    .get('*', (c) => {
      const name = c.req.path;
      const file = name.endsWith('.html') ? undefined : files.get(name);
      if (file) {
        return respond(c, file, name.startsWith('/assets/') ? immutable : 'no-cache');
      }
      if (authPath.test(name)) return page(c, '/auth.html');
      if (looksLikeFile.test(name) || name.startsWith('/assets/')) return c.text('Not found', 404);
      return page(c, '/index.html');
    });
  return { routes, build };
}

function readFiles(directory: string): Map<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>();
  if (!fs.existsSync(directory)) return files;
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const type = contentTypes[path.extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const file = path.join(entry.parentPath, entry.name);
    const precompressed = (suffix: string): Buffer | null =>
      fs.existsSync(file + suffix) ? fs.readFileSync(file + suffix) : null;
    const plain = fs.readFileSync(file);
    files.set(`/${path.relative(directory, file).split(path.sep).join('/')}`, {
      type,
      plain,
      br: precompressed('.br'),
      gzip: precompressed('.gz'),
      etag: createEtag(plain),
    });
  }
  return files;
}

const createEtag = (body: Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

function compressFile(text: string, type: string): ConsoleFile {
  const plain = Buffer.from(text);
  return { type, plain, br: brotliCompressSync(plain), gzip: gzipSync(plain), etag: createEtag(plain) };
}

/** Inserts the product name and the runtime configuration into a document. */
function withRuntime(page: string, runtime: RuntimeConfig): string {
  // An unescaped `<` could end the script element.
  const json = JSON.stringify(runtime).replaceAll('<', '\\u003c');
  const name = String(html`${runtime.productName}`);
  return page
    .replaceAll('__PRODUCT_NAME__', () => name)
    .replace(
      new RegExp(`(<script[^>]*id="${runtimeConfigElementId}"[^>]*>)[^<]*(</script>)`),
      (_match, open: string, close: string) => `${open}${json}${close}`,
    );
}

function respond(c: Context<AppEnv>, file: ConsoleFile, cacheControl: string): Response {
  const headers: Record<string, string> = {
    'Content-Type': file.type,
    'Cache-Control': cacheControl,
    // An immutable file is never revalidated.
    ...(cacheControl === immutable ? {} : { ETag: file.etag }),
    Vary: 'Accept-Encoding',
  };
  if (c.req.header('If-None-Match') === file.etag) return c.body(null, 304, headers);
  const encoding = findEncoding(c.req.header('Accept-Encoding') ?? null);
  const encoded = encoding && file[encoding];
  if (encoded) headers['Content-Encoding'] = encoding;
  return c.body(new Uint8Array(encoded ?? file.plain), 200, headers);
}
