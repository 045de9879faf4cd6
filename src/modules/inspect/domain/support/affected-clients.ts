/** Finds the email clients of the renderings that lack a feature of the data, or support it only in part. */
import { CLIENTS } from '../rendering/clients.js';
import { RENDER_CLIENTS, type RenderClient } from '../rendering/render-client.js';
import { answerOf } from './support-data.js';

export function affectedClients(slug: string): RenderClient[] {
  return RENDER_CLIENTS.filter((name) => {
    const answer = answerOf(slug, ...CLIENTS[name].app);
    return answer === 'n' || answer === 'a';
  });
}
