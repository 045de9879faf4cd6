/** The demo workspace of a running service, over HTTP, for tests that start real processes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface OpenWorkspace {
  readonly id: string;
  readonly key: string;
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: any; headers: Headers }>;
  template(slug: string, body?: string): Promise<void>;
  /** Makes and activates a flow; gives its id. */
  flow(contentType: string, event: string, steps: readonly object[]): Promise<string>;
  /** Posts a signed_up event; true when it is accepted, or was before. False when nobody could answer. */
  signUp(externalId: string): Promise<boolean>;
}

/** Opens the workspace that the start left in its data directory; its own flow is stopped. */
export async function openWorkspace(url: string, dataDir: string): Promise<OpenWorkspace> {
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as {
    workspaceId: string;
    key: string;
  };
  const credentials = { 'x-workspace-id': demo.workspaceId, 'x-api-key': demo.key };
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
  for (const flow of (await must('GET', '/v1/flows')).flows) await must('POST', `/v1/flows/${flow.id}/stop`);
  return {
    id: demo.workspaceId,
    key: demo.key,
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
