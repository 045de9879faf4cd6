/** The caller's workspace in GraphQL, and going live. */
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
import { WorkspaceOutput, workspaceOutput } from '../output/workspace.output.js';

@Resolver(() => WorkspaceOutput)
export class WorkspaceResolver {
  constructor(
    private readonly workspaces: WorkspaceService,
    private readonly changes: WorkspaceChangesService,
    private readonly deletion: WorkspaceDeletionService,
  ) {}

  @Query(() => WorkspaceOutput, { complexity: COST.record, description: 'The caller’s workspace.' })
  @Requires({})
  async workspace(@CurrentPrincipal() principal: Principal): Promise<WorkspaceOutput> {
    const scope = scopeOf(principal);
    return this.outputOf(await this.workspaces.get(scope), scope);
  }

  @Mutation(() => WorkspaceOutput, {
    complexity: COST.change,
    description:
      'Updates sending rules (frequency cap, do-not-disturb hours, default time zone), open and click ' +
      'tracking, and the transports of live mail. Omitted fields do not change; null clears a field.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async updateWorkspaceSettings(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('input', { type: () => WorkspaceSettingsInput }) input: WorkspaceSettingsInput,
  ): Promise<WorkspaceOutput> {
    const scope = scopeOf(principal);
    return this.outputOf(await this.changes.changeSettings(scope, input, author), scope);
  }

  @Mutation(() => WorkspaceOutput, {
    complexity: COST.change,
    description:
      'Updates the workspace’s default sender. Omitted fields do not change; null clears a field. An address ' +
      'at an unverified domain is rewritten to the shared sending domain when mail is sent.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async updateWorkspaceSender(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('input', { type: () => SenderInput }) input: SenderInput,
  ): Promise<WorkspaceOutput> {
    const scope = scopeOf(principal);
    return this.outputOf(await this.changes.changeSender(scope, input, author), scope);
  }

  @Mutation(() => WorkspaceOutput, {
    complexity: COST.change,
    description:
      'Updates the company name and postal address that the law requires in commercial email. Omitted fields ' +
      'do not change; null clears a field. No commercial email is sent while a required part is missing.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async updateCompany(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('input', { type: () => CompanyInput }) input: CompanyInput,
  ): Promise<WorkspaceOutput> {
    const scope = scopeOf(principal);
    return this.outputOf(await this.changes.changeCompany(scope, input, author), scope);
  }

  @Mutation(() => WorkspaceOutput, {
    complexity: COST.change,
    description:
      'Allows the workspace to send to real recipients. Requires a verified account email, complete company ' +
      'information and an API key; otherwise returns go_live_incomplete with what is missing.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async goLive(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
  ): Promise<WorkspaceOutput> {
    const scope = scopeOf(principal);
    return this.outputOf(await this.changes.goLive(scope, author), scope);
  }

  @Mutation(() => WorkspaceOutput, {
    complexity: COST.change,
    description:
      'Schedules the deletion of the workspace. Enter its name to confirm. The workspace is read-only and ' +
      'sends nothing from now on. All of its data is permanently deleted after 14 days.',
  })
  @Requires({ roles: ['owner'] })
  async deleteWorkspace(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args() { name }: DeleteWorkspaceArgs,
  ): Promise<WorkspaceOutput> {
    const scope = scopeOf(principal);
    return this.outputOf(await this.deletion.schedule(scope, name, author), scope);
  }

  @Mutation(() => WorkspaceOutput, {
    complexity: COST.change,
    description: 'Cancels the scheduled deletion of the workspace.',
  })
  @Requires({ roles: ['owner'] })
  async keepWorkspace(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
  ): Promise<WorkspaceOutput> {
    const scope = scopeOf(principal);
    return this.outputOf(await this.deletion.cancel(scope, author), scope);
  }

  private outputOf(workspace: Workspace, { environment }: TenantScope): WorkspaceOutput {
    return workspaceOutput(workspace, environment, this.changes.mailTransports);
  }
}
