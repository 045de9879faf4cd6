/** Serves the files of our own pages (documentation, playground): only those in the given list. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

export const SCRIPT = 'text/javascript; charset=utf-8';
export const STYLE = 'text/css; charset=utf-8';

export interface Asset {
  readonly type: string;
  /** Absolute path of the file, or the text itself. */
  readonly content: { readonly file: string } | { readonly text: string };
}

/**
 * Registers a route for each asset directly in Fastify, because files need no guard and no pipe.
 * @param path their base path, without a trailing slash.
 */
export function serveAssets(
  instance: FastifyInstance,
  path: string,
  assets: Readonly<Record<string, Asset>>,
): void {
  for (const [name, { type, content }] of Object.entries(assets)) {
    instance.get(`${path}/${name}`, { config: { isConstant: true } }, async (request, reply) => {
      const bytes = 'text' in content ? content.text : await readFile(content.file);
      const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
      // Revalidated on every request (304 if unchanged), so that a new version appears immediately.
      reply.header('cache-control', 'public, no-cache').header('etag', tag);
      if (request.headers['if-none-match']?.replace(/^W\//, '') === tag) return reply.code(304).send();
      return reply.type(type).send(bytes);
    });
  }
}
