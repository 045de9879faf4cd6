/** A snapshot of a template's content, section 2.7. The stored subject is not part of it. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, optionalText, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('template_versions')
@Index('template_versions_number', ['workspaceId', 'templateId', 'version'])
export class TemplateVersionEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ name: 'template_id', type: 'uuid' }) templateId: string;
  @Column({ type: 'integer' }) version: number;
  @Column({ type: 'text' }) name: string;
  @Column({ name: 'body_html', type: 'text' }) bodyHtml: string;
  @Column({ name: 'body_ast', type: 'jsonb', nullable: true }) bodyAst: Record<string, unknown> | null;
  @Column(optionalText('template_language')) templateLanguage: string | null;
  @Column(optionalText('change_summary')) changeSummary: string | null;
  @Column({ name: 'document_json', type: 'jsonb', nullable: true }) documentJson: Record<
    string,
    unknown
  > | null;
  @Column({ name: 'ast_patches', type: 'jsonb', nullable: true }) astPatches: readonly object[] | null;
  @Column({ name: 'created_by', type: 'text' }) createdBy: string;
  @Column(moment('created_at')) createdAt: Date;
}
