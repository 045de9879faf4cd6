/**
 * Report data for the dashboard, explanations of numbers, and the start page. Calls the same service methods as REST.
 */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { invalidFields } from '../../../kernel/domain-error.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { isPermitted, mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { maskEmails } from '../../contacts/domain/masking.js';
import { HomeMetricsService } from '../application/home-metrics.js';
import { NumberExplanations, type FieldRenderer } from '../application/number-explanations.js';
import { ReportDataService } from '../application/report-data.service.js';
import { ReportService } from '../application/report.service.js';
import { viewerOf } from '../domain/report-access.js';
import { dataSources } from '../domain/fields.js';
import type { ReportConfig } from '../domain/report.js';
import { configFrom } from '../input/report-config.input.js';
import { ExplainNumberArgs, ReportDataArgs, ReportQueryArgs } from '../input/report-query.input.js';
import { HomeMetricsOutput } from '../output/home-metrics.output.js';
import { explanationOutput, NumberExplanationOutput } from '../output/number-explanation.output.js';
import { ReportDataOutput, reportDataOutput } from '../output/report-data.output.js';
import { DataSourceOutput } from '../output/report-fields.output.js';

const READ = { permission: 'analytics:read' } as const;

@Resolver()
export class ReportDataResolver {
  constructor(
    private readonly data: ReportDataService,
    private readonly explanations: NumberExplanations,
    private readonly homeMetrics: HomeMetricsService,
    private readonly reports: ReportService,
  ) {}

  @Query(() => [DataSourceOutput], {
    complexity: COST.record,
    description: 'Metrics, dimensions and filters available in reports, by data source.',
  })
  @Requires(READ)
  reportFields(): readonly DataSourceOutput[] {
    return dataSources();
  }

  @Query(() => ReportDataOutput, {
    complexity: COST.wholeTenant,
    description: 'Data of a report in the caller’s environment. Cached for five minutes per period.',
  })
  @Requires(READ)
  async reportData(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, ...request }: ReportDataArgs,
  ): Promise<ReportDataOutput> {
    const report = await this.reports.get(viewerOf(principal), id);
    return reportDataOutput(await this.data.ofReport(scopeOf(principal), report, request));
  }

  @Query(() => ReportDataOutput, {
    complexity: COST.wholeTenant,
    description: 'Runs an unsaved report config. Not cached.',
  })
  @Requires(READ)
  async reportQuery(
    @CurrentPrincipal() principal: Principal,
    @Args() { config, ...request }: ReportQueryArgs,
  ): Promise<ReportDataOutput> {
    return reportDataOutput(await this.data.query(scopeOf(principal), configFrom(config), request));
  }

  @Query(() => NumberExplanationOutput, {
    complexity: COST.wholeTenant,
    description:
      'Explains a number in a report: what it means, how it is calculated, and up to 20 of the rows it counts.',
  })
  @Requires(READ)
  async explainNumber(
    @CurrentPrincipal() principal: Principal,
    @Args() args: ExplainNumberArgs,
  ): Promise<NumberExplanationOutput> {
    const config = await this.configOf(principal, args);
    return explanationOutput(
      await this.explanations.explain(scopeOf(principal), config, args, fieldRendererFor(principal)),
    );
  }

  @Query(() => HomeMetricsOutput, {
    complexity: COST.wholeTenant,
    description:
      'Key metrics of the last thirty days, with their change from the previous thirty days and daily values.',
  })
  @Requires(READ)
  async homeFigures(@CurrentPrincipal() principal: Principal): Promise<HomeMetricsOutput> {
    const { range, figures } = await this.homeMetrics.of(scopeOf(principal));
    return { ...range, figures };
  }

  /** Returns the config of the report, or the config given: exactly one of both. */
  private async configOf(
    principal: Principal,
    { reportId, config }: ExplainNumberArgs,
  ): Promise<ReportConfig> {
    if ((reportId === undefined) === (config === undefined))
      throw invalidFields([
        { field: 'config', message: 'must be given if there is no reportId, and only then' },
      ]);
    if (config) return configFrom(config);
    return (await this.reports.get(viewerOf(principal), reportId ?? '')).config;
  }
}

/**
 * Shows addresses as other queries do: those of messages to callers who may read messages, in full to callers who may
 * read contacts.
 */
function fieldRendererFor(principal: Principal): FieldRenderer {
  const readsContacts = mayReadContacts(principal);
  const readsMail = isPermitted(principal, 'email_logs:read');
  return (field, value) => {
    if (field === 'to_email' && !readsMail && !readsContacts) return null;
    if (readsContacts) return value;
    return field === 'to_email' ? maskEmails(value) : null;
  };
}
