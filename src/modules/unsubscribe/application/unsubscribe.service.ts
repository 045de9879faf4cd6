/** Unsubscribing by the link of an email, section 4.8. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { Refusals } from '../../contacts/application/refusals.js';
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
    private readonly workspaces: WorkspaceService,
    private readonly refusals: Refusals,
    private readonly links: UnsubscribeLinks,
    private readonly clock: Clock,
  ) {}

  /**
   * The page of a link; changes nothing.
   * @throws DomainError invalid_token.
   */
  async question(token: string): Promise<UnsubscribePage> {
    const { scope, ...who } = this.read(token);
    const sender = await this.senderName(scope);
    const isUnsubscribed = await this.database.inScope(scope, (tx) =>
      this.refusals.hasRefused(tx, scope, who),
    );
    return isUnsubscribed
      ? { kind: 'done', sender }
      : { kind: 'question', sender, action: this.links.pathOf(token) };
  }

  /**
   * Unsubscribes the contact, deleted and erased ones too, and the address that the email went to; once more changes
   * nothing more.
   * @throws DomainError invalid_token.
   */
  async unsubscribe(token: string): Promise<UnsubscribePage> {
    const { scope, ...who } = this.read(token);
    await this.database.inScope(scope, (tx) => this.refusals.refuse(tx, scope, who, this.clock.now()));
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
