/** Workspaces and members for the dashboard. */
import { Module } from '@nestjs/common';
import { WorkspaceSettingsService } from './application/workspace-settings.service.js';
import { MemberResolver } from './graphql/member.resolver.js';
import { WorkspaceResolver } from './graphql/workspace.resolver.js';
import { WorkspaceRepository } from './persistence/workspace.repository.js';
import { WorkspacesModule } from './workspaces.module.js';

@Module({
  imports: [WorkspacesModule],
  providers: [MemberResolver, WorkspaceRepository, WorkspaceResolver, WorkspaceSettingsService],
})
export class WorkspacesApiModule {}
