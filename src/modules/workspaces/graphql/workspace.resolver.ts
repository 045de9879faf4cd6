/** The caller's workspace, and going live. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { type Author, type Principal, scopeOf } from '../../../kernel/principal.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { WorkspaceChangesService } from '../application/workspace-changes.service.js';
import { WorkspaceDeletionService } from '../application/workspace-deletion.service.js';
import { WorkspaceService } from '../application/workspace.service.js';
import type { Workspace } from '../domain/workspace.js';
import { CompanyInput } from '../input/company.input.js';
import { DeleteWorkspaceArgs } from '../input/delete-workspace.input.js';
import { SenderInput } from '../input/sender.input.js';
import { WorkspaceSettingsInput } from '../input/workspace-settings.input.js';
import { WorkspaceType, workspaceTypeOf } from './workspace.type.js';

@Resolver(() => WorkspaceType)
export class WorkspaceResolver {
  constructor(
    private readonly workspaces: WorkspaceService,
    private readonly changes: WorkspaceChangesService,
    private readonly deletion: WorkspaceDeletionService,
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
    @CurrentAuthor() author: Author,
    @Args('input', { type: () => WorkspaceSettingsInput }) input: WorkspaceSettingsInput,
  ): Promise<WorkspaceType> {
    const scope = scopeOf(principal);
    return this.typeOf(await this.changes.changeSettings(scope, input, author), scope);
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
    @CurrentAuthor() author: Author,
    @Args('input', { type: () => SenderInput }) input: SenderInput,
  ): Promise<WorkspaceType> {
    const scope = scopeOf(principal);
    return this.typeOf(await this.changes.changeSender(scope, input, author), scope);
  }

  @Mutation(() => WorkspaceType, {
    complexity: COST.change,
    description:
      'Changes the company’s name and postal address, which commercial email carries by law. What is left out stays, ' +
      'null takes it away; while a part that is needed is missing no commercial email is sent.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async updateCompany(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('input', { type: () => CompanyInput }) input: CompanyInput,
  ): Promise<WorkspaceType> {
    const scope = scopeOf(principal);
    return this.typeOf(await this.changes.changeCompany(scope, input, author), scope);
  }

  @Mutation(() => WorkspaceType, {
    complexity: COST.change,
    description:
      'Lets the workspace send to real people. Refused with go_live_incomplete, naming what is missing, unless the ' +
      'account email is verified, the company information is complete and there is an API key.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async goLive(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
  ): Promise<WorkspaceType> {
    const scope = scopeOf(principal);
    return this.typeOf(await this.changes.goLive(scope, author), scope);
  }

  @Mutation(() => WorkspaceType, {
    complexity: COST.change,
    description:
      'Orders the end of the workspace, whose name is to be typed. It is read-only and sends nothing from then on; ' +
      'fourteen days later everything of it is deleted for good.',
  })
  @Requires({ roles: ['owner'] })
  async deleteWorkspace(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args() { name }: DeleteWorkspaceArgs,
  ): Promise<WorkspaceType> {
    const scope = scopeOf(principal);
    return this.typeOf(await this.deletion.order(scope, name, author), scope);
  }

  @Mutation(() => WorkspaceType, {
    complexity: COST.change,
    description: 'Takes the order to delete the workspace back.',
  })
  @Requires({ roles: ['owner'] })
  async keepWorkspace(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
  ): Promise<WorkspaceType> {
    const scope = scopeOf(principal);
    return this.typeOf(await this.deletion.takeBack(scope, author), scope);
  }

  private typeOf(workspace: Workspace, { environment }: TenantScope): WorkspaceType {
    return workspaceTypeOf(workspace, environment, this.changes.mailTransports);
  }
}
