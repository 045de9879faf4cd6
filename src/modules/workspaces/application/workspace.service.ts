/** Reads and creates workspaces, the tenants of the service. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { ChangeFeed } from '../../../platform/database/change-feed.js';
import { TenantCache } from '../../../platform/database/tenant-cache.js';
import type { RetentionPlans } from '../../limits/domain/plan.js';
import type {
  CompanyInformation,
  Sender,
  Workspace,
  WorkspaceSettings,
  WorkspaceState,
} from '../domain/workspace.js';
import { WorkspaceRepository } from '../persistence/workspace.repository.js';

/** Workspaces cached in memory. */
const MAX_CACHED_WORKSPACES = 10_000;
/** The cache key; a workspace has one entry. */
const CACHE_KEY = 'workspace';

/** A workspace created by the operator. */
export interface NewWorkspace {
  readonly name: string;
  readonly plan: string;
  readonly paymentCustomerId: string | null;
  readonly paymentSubscriptionId: string | null;
  readonly accountEmailVerified: boolean;
  readonly live: boolean;
  readonly company: CompanyInformation;
  readonly sender: Sender;
  readonly settings: WorkspaceSettings;
}

@Injectable()
export class WorkspaceService {
  private readonly cache: TenantCache<Workspace>;

  constructor(
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: Clock,
    changes: ChangeFeed,
  ) {
    this.cache = new TenantCache<Workspace>(changes, 'workspaces', { capacity: MAX_CACHED_WORKSPACES });
  }

  /**
   * The workspace of the scope, cached in memory until it changes.
   * @throws DomainError not_found.
   */
  async get(scope: WorkspaceScope): Promise<Workspace> {
    const workspace = await this.find(scope);
    if (!workspace) throw new DomainError('not_found', 'No such workspace exists.');
    return workspace;
  }

  /** The workspace's name, read in the caller's transaction; empty if there is none. */
  async nameOf(tx: Transaction, scope: WorkspaceScope): Promise<string> {
    return this.workspaces.name(tx, scope);
  }

  /** Its plan and former plans, read in the caller's transaction; undefined if there is no workspace. */
  async plansOf(tx: Transaction, scope: WorkspaceScope): Promise<RetentionPlans | undefined> {
    return this.workspaces.plans(tx, scope);
  }

  /**
   * Whether work may be done for the workspace, read in the caller's transaction; undefined if there is no workspace.
   */
  async currentState(tx: Transaction, scope: WorkspaceScope): Promise<WorkspaceState | undefined> {
    return this.workspaces.state(tx, scope);
  }

  /** Like `get`, but undefined if there is none. */
  async find(scope: WorkspaceScope): Promise<Workspace | undefined> {
    const found = await this.cache.getMany(scope.workspaceId, [CACHE_KEY], async () => {
      const workspace = await this.workspaces.find(scope);
      return new Map(workspace ? [[CACHE_KEY, workspace]] : []);
    });
    return found.get(CACHE_KEY);
  }

  /** The settings as the transaction sees them, bypassing the cache; empty if there is no such workspace. */
  async currentSettings(tx: Transaction, scope: WorkspaceScope): Promise<WorkspaceSettings> {
    return (await this.workspaces.settings(tx, scope)) ?? {};
  }

  /** Ids of the workspaces with this name, oldest first: names are not unique. */
  async idsByName(name: string): Promise<string[]> {
    return this.workspaces.idsByName(name);
  }

  /** Ids of workspaces, at most `limit`. */
  async ids(limit: number): Promise<string[]> {
    return this.workspaces.ids(limit);
  }

  /**
   * Creates a workspace for the operator. It may be live from the start, even if requirements for going live are
   * missing.
   */
  async create(input: NewWorkspace): Promise<Workspace> {
    const { paymentCustomerId, paymentSubscriptionId, live, ...fields } = input;
    const now = this.clock.now();
    const workspace: Workspace = {
      id: uuidv7(now.getTime()),
      ...fields,
      customRates: {},
      status: 'active',
      suspendedReason: null,
      liveAt: live ? now : null,
      deletionAt: null,
      isBeingDeleted: false,
      createdAt: now,
      updatedAt: now,
    };
    await this.workspaces.add(workspace, {
      customerId: paymentCustomerId,
      subscriptionId: paymentSubscriptionId,
    });
    return workspace;
  }
}

/** The error for a change in a read-only workspace. */
export function workspaceSuspended(): DomainError {
  return new DomainError(
    'workspace_suspended',
    'The workspace is read-only: its payment is overdue or its deletion is scheduled.',
  );
}
