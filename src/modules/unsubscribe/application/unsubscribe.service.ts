/** Unsubscribing by the link of an email, section 4.8. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { Unsubscriber } from '../domain/unsubscribe-token.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';

/** What the holder of a link is shown. */
export type UnsubscribePage =
  | { readonly kind: 'question'; readonly sender: string; readonly action: string }
  | { readonly kind: 'done'; readonly sender: string }
  | { readonly kind: 'invalid' };

@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly database: Database,
    private readonly contacts: KnownContacts,
    private readonly workspaces: WorkspaceService,
    private readonly links: UnsubscribeLinks,
    private readonly clock: Clock,
  ) {}

  /**
   * The page of a link; changes nothing.
   * @throws DomainError invalid_token.
   */
  async question(token: string): Promise<UnsubscribePage> {
    const { scope, contactId } = this.read(token);
    const sender = await this.senderName(scope);
    const [contact] = await this.database.inScope(scope, (tx) =>
      this.contacts.find(tx, scope, 'id', [contactId]),
    );
    return contact?.subscription_status === 'unsubscribed'
      ? { kind: 'done', sender }
      : { kind: 'question', sender, action: this.links.pathOf(token) };
  }

  /**
   * Unsubscribes the contact; once more changes nothing more.
   * @throws DomainError invalid_token.
   */
  async unsubscribe(token: string): Promise<UnsubscribePage> {
    const { scope, contactId } = this.read(token);
    await this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      const [contact] = await this.contacts.lock(tx, scope, [contactId]);
      if (contact?.subscription_status !== 'subscribed') return;
      const unsubscribed = { ...contact, subscription_status: 'unsubscribed' as const, updated_at: now };
      await this.contacts.change(tx, scope, [unsubscribed], now);
    });
    return { kind: 'done', sender: await this.senderName(scope) };
  }

  /** Under which name the workspace writes to people: the company's, else its own. */
  private async senderName(scope: TenantScope): Promise<string> {
    const workspace = await this.workspaces.find(scope);
    return workspace?.company.name || workspace?.name || 'this sender';
  }

  private read(token: string): Unsubscriber & { readonly scope: TenantScope } {
    const unsubscriber = this.links.read(token);
    if (!unsubscriber) throw new DomainError('invalid_token', 'The unsubscribe link is not valid.');
    return unsubscriber;
  }
}
