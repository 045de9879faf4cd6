/** The credentials of a request, section 5, and the 401 for insufficient ones. */
import { DomainError } from '../../../kernel/domain-error.js';

export type Credentials =
  | { readonly kind: 'api_key'; readonly key: string; readonly workspaceId: string }
  | {
      readonly kind: 'token';
      readonly token: string;
      readonly workspaceId: string | undefined;
      readonly environment: string | undefined;
    };

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const BEARER = /^bearer +(\S+)$/i;

/**
 * Reads the credentials. If there is both an API key and a token, the API key is used.
 * @param headers by their names in lower case.
 * @throws DomainError missing_workspace_id, missing_api_key, missing_token.
 */
export function credentialsOf(headers: Headers): Credentials {
  const key = headerOf(headers, 'x-api-key');
  const workspaceId = headerOf(headers, 'x-workspace-id');
  if (key !== undefined) {
    if (workspaceId === undefined)
      throw new DomainError('missing_workspace_id', 'The header X-WORKSPACE-ID is missing.');
    return { kind: 'api_key', key, workspaceId };
  }
  const authorization = headerOf(headers, 'authorization');
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token !== undefined)
    return { kind: 'token', token, workspaceId, environment: headerOf(headers, 'x-environment') };
  if (authorization !== undefined)
    throw new DomainError('missing_token', 'The Authorization header contains no bearer token.');
  if (workspaceId !== undefined) throw new DomainError('missing_api_key', 'The header X-API-KEY is missing.');
  throw new DomainError('missing_token', 'Credentials are missing: send a bearer token or an API key.');
}

function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  const text = (typeof value === 'string' ? value : value?.[0])?.trim();
  return text === '' ? undefined : text;
}
