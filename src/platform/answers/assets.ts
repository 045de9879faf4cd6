/** Serves files of our own pages (documentation, playground): those that are listed, and no others. */
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
 * Adds a route for each asset, beside Nest's, since files need no guard and no pipe.
 * @param path where they are, without a trailing slash.
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
      // Asked for again each time, and answered 304, so that a new version shows at once.
      reply.header('cache-control', 'public, no-cache').header('etag', tag);
      if (request.headers['if-none-match']?.replace(/^W\//, '') === tag) return reply.code(304).send();
      return reply.type(type).send(bytes);
    });
  }
}
