/** The caller's workspace, and going live. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { type Principal, scopeOf } from '../../../kernel/principal.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { WorkspaceSettingsService } from '../application/workspace-settings.service.js';
import { WorkspaceService } from '../application/workspace.service.js';
import type { Workspace } from '../domain/workspace.js';
import { SenderInput } from '../input/sender.input.js';
import { WorkspaceSettingsInput } from '../input/workspace-settings.input.js';
import { WorkspaceType, workspaceTypeOf } from './workspace.type.js';

@Resolver(() => WorkspaceType)
export class WorkspaceResolver {
  constructor(
    private readonly workspaces: WorkspaceService,
    private readonly settings: WorkspaceSettingsService,
  ) {}

  @Query(() => WorkspaceType, { complexity: COST.record, description: "The caller's workspace." })
  @Requires({})
  async workspace(@CurrentPrincipal() principal: Principal): Promise<WorkspaceType> {
    const scope = scopeOf(principal);
    return this.typeOf(await this.workspaces.get(scope), scope);
  }

  @Mutation(() => WorkspaceType, {
    complexity: COST.change,
    description:
      'Changes what holds back messages to contacts: the frequency cap, the do-not-disturb hours, the time zone of ' +
      'contacts without one; what is noted of their reading; and the ways that live mail takes. What is left out ' +
      'stays, null takes it away.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async updateWorkspaceSettings(
    @CurrentPrincipal() principal: Principal,
    @Args('input', { type: () => WorkspaceSettingsInput }) input: WorkspaceSettingsInput,
  ): Promise<WorkspaceType> {
    const scope = scopeOf(principal);
    return this.typeOf(await this.settings.change(scope, input), scope);
  }

  @Mutation(() => WorkspaceType, {
    complexity: COST.change,
    description:
      'Changes whom the workspace’s messages come from. What is left out stays, null takes it away. An address of a ' +
      'domain that is not verified is rewritten to the shared sending domain when mail is sent.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async updateWorkspaceSender(
    @CurrentPrincipal() principal: Principal,
    @Args('input', { type: () => SenderInput }) input: SenderInput,
  ): Promise<WorkspaceType> {
    const scope = scopeOf(principal);
    return this.typeOf(await this.workspaces.changeSender(scope, input), scope);
  }

  @Mutation(() => WorkspaceType, {
    complexity: COST.change,
    description:
      'Lets the workspace send to real people. Refused with go_live_incomplete, naming what is missing, unless the ' +
      'account email is verified, the company information is complete and there is an API key.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async goLive(@CurrentPrincipal() principal: Principal): Promise<WorkspaceType> {
    const scope = scopeOf(principal);
    return this.typeOf(await this.workspaces.goLive(scope), scope);
  }

  private typeOf(workspace: Workspace, { environment }: TenantScope): WorkspaceType {
    return workspaceTypeOf(workspace, environment, this.settings.mailTransports);
  }
}
