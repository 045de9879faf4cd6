/**
 * A version of a template that is or was sent in bulk, retained regardless of what happens to the template. One row
 * per version.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, optionalText, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('frozen_templates')
@Index('frozen_templates_version', ['workspaceId', 'templateId', 'version'], { unique: true })
export class FrozenTemplateEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ name: 'template_id', type: 'uuid' }) templateId: string;
  @Column({ type: 'integer' }) version: number;
  @Column({ type: 'text' }) slug: string;
  @Column(optionalText('subject')) subject: string | null;
  @Column({ name: 'body_html', type: 'text' }) bodyHtml: string;
  @Column({ name: 'body_text', type: 'text' }) bodyText: string;
  @Column(optionalText('template_language')) templateLanguage: string | null;
  @Column(moment('frozen_at')) frozenAt: Date;
}
