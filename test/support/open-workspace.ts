/** A workspace of a running service, over HTTP, for tests that start real processes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceProcess } from './service-process.js';

export interface OpenWorkspace {
  readonly id: string;
  readonly key: string;
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: any; headers: Headers }>;
  template(slug: string, body?: string): Promise<void>;
  /** Creates and activates a flow; returns its id. */
  flow(contentType: string, event: string, steps: readonly object[]): Promise<string>;
  /** Posts a signed_up event. True if the event is accepted now or was before; false if no process could answer. */
  signUp(externalId: string): Promise<boolean>;
}

/** Opens the workspace that the first start created, from the data directory, and stops its demo flow. */
export async function openWorkspace(url: string, dataDir: string): Promise<OpenWorkspace> {
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as {
    workspaceId: string;
    key: string;
  };
  const workspace = workspaceAt(url, demo.workspaceId, demo.key);
  const { body } = await workspace.call('GET', '/v1/flows');
  for (const flow of body.flows) await workspace.call('POST', `/v1/flows/${flow.id}/stop`);
  return workspace;
}

/**
 * Creates a workspace with the command line, for a service without a demo workspace.
 * @param env environment variables of the service's processes.
 * @param dataDir an existing folder, for the seed file.
 */
export async function seedWorkspace(
  url: string,
  env: Record<string, string>,
  dataDir: string,
): Promise<OpenWorkspace> {
  const file = join(dataDir, 'seed.json');
  writeFileSync(file, JSON.stringify({ workspaces: [WORKSPACE_SEED] }));
  const seeded = (await ServiceProcess.cli(env, ['seed', file])) as {
    workspaces: { id: string; api_keys: { key: string }[] }[];
  };
  const [workspace] = seeded.workspaces;
  const key = workspace?.api_keys[0]?.key;
  if (!workspace || key === undefined) throw new Error('The workspace was not seeded.');
  return workspaceAt(url, workspace.id, key);
}

/** A workspace without caps that has gone live. */
export const WORKSPACE_SEED = {
  name: 'Acme',
  plan: 'enterprise',
  account_email_verified: true,
  company: {
    name: 'Acme Inc',
    address_line1: '1 Main St',
    city: 'Springfield',
    postal_code: '62701',
    country: 'US',
  },
  sender: { from_email: 'hello@acme.test', from_name: 'Acme' },
  api_keys: [{ name: 'server', scope: 'full', environment: 'live' }],
};

/** Opens a workspace whose id and key are known. */
export function workspaceAt(url: string, id: string, key: string): OpenWorkspace {
  const credentials = { 'x-workspace-id': id, 'x-api-key': key };
  const call: OpenWorkspace['call'] = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: body === undefined ? credentials : { ...credentials, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: answer.headers,
    };
  };
  const must = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await call(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    id,
    key,
    call,
    template: async (slug, body = '<p>Hi {the user\'s First Name, or "there"}</p>') => {
      await must('POST', '/v1/templates', { name: slug, slug, subject: 'Hello', body_html: body });
    },
    flow: async (contentType, event, steps) => {
      const flow = { name: contentType, trigger_event: event, content_type: contentType, steps };
      const { id } = await must('POST', '/v1/flows', flow);
      await must('POST', `/v1/flows/${id}/activate`);
      return id;
    },
    signUp: async (externalId) => {
      const event = {
        external_id: externalId,
        event_name: 'signed_up',
        contact: { email: `${externalId}@example.com` },
        idempotency_key: externalId,
      };
      const answer = await call('POST', '/v1/events', event).catch(() => undefined);
      return answer?.status === 202 || answer?.status === 409;
    },
  };
}
