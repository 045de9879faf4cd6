/** Workspaces and members for the dashboard. */
import { Module } from '@nestjs/common';
import { MemberResolver } from './graphql/member.resolver.js';
import { WorkspaceResolver } from './graphql/workspace.resolver.js';
import { WorkspacesModule } from './workspaces.module.js';

@Module({ imports: [WorkspacesModule], providers: [MemberResolver, WorkspaceResolver] })
export class WorkspacesApiModule {}
