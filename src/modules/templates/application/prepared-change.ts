/**
 * Does the expensive work of a template change before any lock is taken. The transaction looks up the prepared
 * results. If one is missing, the transaction ends with a CostlyChangeError, which says what to prepare before the next
 * attempt.
 */
import { sameJson } from '../../../kernel/json.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { isSmall, type Threads } from '../../../platform/threads/threads.js';
import { type AstPatch, astPatch, isPatchable } from '../domain/ast-patch.js';
import { type Content, type DerivedContent, deriveContent } from '../domain/new-template.js';
import { AST_PATCH, DERIVE } from '../domain/template-tasks.js';
import type { Template } from '../domain/template.js';

type Document = NonNullable<Template['bodyAst']>;
type CostlyWork =
  | { readonly kind: 'content'; readonly content: Content }
  | { readonly kind: 'documents'; readonly from: Document; readonly to: Document };

/** Ends a transaction that would otherwise hold its locks during expensive work. */
export class CostlyChangeError extends Error {
  constructor(readonly work: CostlyWork) {
    super(`Checking the ${work.kind} of this change takes long.`);
  }
}

export class PreparedChange {
  private content: (Content & { readonly derived: DerivedContent }) | undefined;
  private documents:
    { readonly from: Document; readonly to: Document; readonly patch: AstPatch | null } | undefined;

  constructor(
    private readonly threads: Threads,
    private readonly scope: WorkspaceScope,
  ) {}

  /**
   * The data derived from the content.
   * @throws CostlyChangeError if the content is large and not prepared.
   */
  readonly derive = ({ subject, bodyHtml, templateLanguage }: Content): DerivedContent => {
    const content = { subject, bodyHtml, templateLanguage };
    if (isSmall(content)) return deriveContent(content);
    const cached = this.content;
    if (
      cached?.bodyHtml === bodyHtml &&
      cached.subject === subject &&
      cached.templateLanguage === templateLanguage
    )
      return cached.derived;
    throw new CostlyChangeError({ kind: 'content', content });
  };

  /**
   * The patch from the former document to the next one.
   * @throws CostlyChangeError if the documents are large and not prepared.
   */
  patch({ bodyAst: from }: Template, { bodyAst: to }: Template): AstPatch | null {
    if (!from || !to || from === to) return astPatch(from, to);
    if (!isPatchable(from, to)) return null;
    if (isSmall({ from, to })) return astPatch(from, to);
    const cached = this.documents;
    if (cached && sameJson(cached.from, from) && sameJson(cached.to, to)) return cached.patch;
    throw new CostlyChangeError({ kind: 'documents', from, to });
  }

  /**
   * Does the work for which the transaction ended.
   * @throws DomainError as Threads.run.
   */
  async prepare({ work }: CostlyChangeError): Promise<void> {
    const { workspaceId } = this.scope;
    if (work.kind === 'content') {
      const { content } = work;
      const derived = await this.threads.onThread(workspaceId, DERIVE, content);
      this.content = { ...content, derived };
    } else {
      const { from, to } = work;
      const patch = await this.threads.onThread(workspaceId, AST_PATCH, { from, to });
      this.documents = { from, to, patch };
    }
  }
}
