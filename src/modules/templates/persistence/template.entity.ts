/** The current state of a template, section 2.7. */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { moment, optionalText, RECORD_ID, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('templates')
@Index('templates_slug', ['workspaceId', 'slug'], { unique: true })
export class TemplateEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) name: string;
  @Column({ type: 'text' }) slug: string;
  @Column(optionalText('subject')) subject: string | null;
  @Column({ name: 'body_html', type: 'text' }) bodyHtml: string;
  @Column({ name: 'body_text', type: 'text' }) bodyText: string;
  @Column({ name: 'body_ast', type: 'jsonb', nullable: true }) bodyAst: object | null;
  @Column(optionalText('template_language')) templateLanguage: string | null;
  @Column(optionalText('topic')) topic: string | null;
  @Column({ name: 'is_active', type: 'boolean', default: true }) isActive: boolean;
  @Column({ type: 'integer' }) version: number;
  @Column({ name: 'validation_status', type: 'text' }) validationStatus: string;
  @Column({ name: 'validation_errors', type: 'jsonb', default: [] }) validationErrors: readonly object[];
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
}
