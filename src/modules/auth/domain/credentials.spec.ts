/** Which 401 a request without sufficient credentials gets, in the specified order. */
import type { DomainError } from '../../../kernel/domain-error.js';
import { credentialsOf } from './credentials.js';

const KEY = 'psk_live_0123456789abcdef0123456789abcdef';
const WORKSPACE = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface';
const AT = { 'x-workspace-id': WORKSPACE };

function codeOf(headers: Record<string, string>): string {
  try {
    return credentialsOf(headers).kind;
  } catch (error) {
    return (error as DomainError).code;
  }
}

test.each<[string, Record<string, string>, string]>([
  ['nothing', {}, 'missing_token'],
  ['empty headers', { authorization: '', 'x-api-key': ' ', 'x-workspace-id': '' }, 'missing_token'],
  ['another scheme', { authorization: 'Basic YTpi' }, 'missing_token'],
  ['a scheme without a token', { authorization: 'Bearer ' }, 'missing_token'],
  ['a workspace alone', { 'x-workspace-id': WORKSPACE }, 'missing_api_key'],
  ['a workspace and another scheme', { ...AT, authorization: 'Basic YTpi' }, 'missing_token'],
  ['a workspace and a bare token', { ...AT, authorization: 'a.b.c' }, 'missing_token'],
  ['a workspace and a scheme without a token', { ...AT, authorization: 'Bearer' }, 'missing_token'],
  ['a workspace and two tokens', { ...AT, authorization: 'Bearer a b' }, 'missing_token'],
  ['a workspace and a blank header', { ...AT, authorization: ' ' }, 'missing_api_key'],
  ['a key alone', { 'x-api-key': KEY }, 'missing_workspace_id'],
  [
    'a key and a token, without workspace',
    { 'x-api-key': KEY, authorization: 'Bearer t' },
    'missing_workspace_id',
  ],
  ['a key and its workspace', { 'x-api-key': KEY, 'x-workspace-id': WORKSPACE }, 'api_key'],
  [
    'a key, its workspace and a token',
    { 'x-api-key': KEY, 'x-workspace-id': WORKSPACE, authorization: 'Bearer t' },
    'api_key',
  ],
  ['a token', { authorization: 'Bearer t' }, 'token'],
  ['a token and a workspace', { authorization: 'bearer t', 'x-workspace-id': WORKSPACE }, 'token'],
])('%s', (_name, headers, expected) => expect(codeOf(headers)).toBe(expected));

test('a token brings the workspace and the environment that it asks for', () => {
  expect(
    credentialsOf({ authorization: 'Bearer a.b.c', 'x-workspace-id': WORKSPACE, 'x-environment': 'test' }),
  ).toEqual({
    kind: 'token',
    token: 'a.b.c',
    workspaceId: WORKSPACE,
    environment: 'test',
  });
});
