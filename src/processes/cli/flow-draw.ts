/** `cli flow:draw`: draws a flow with its metrics, as SVG or as Mermaid. */
import { parseArgs } from 'node:util';
import { FlowGraphs } from '../../modules/trips/application/flow-graphs.js';
import { UsageError } from '../operator-fault.js';
import { type CliContext, environmentNamed, PlainText } from './command.js';
import { workspaceNamed } from './workspace-named.js';

const FORMATS = ['svg', 'mermaid'] as const;

export async function drawFlow(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: {
      workspace: { type: 'string' },
      flow: { type: 'string' },
      format: { type: 'string', default: 'svg' },
      environment: { type: 'string', default: 'live' },
    },
  });
  const { flow } = values;
  const format = FORMATS.find((known) => known === values.format);
  const environment = environmentNamed(values.environment);
  if (flow === undefined) throw new UsageError('--flow is missing.');
  if (!format) throw new UsageError(`--format must be one of ${FORMATS.join(', ')}.`);
  return context.withServices(async (services) => {
    const { id: workspaceId } = await workspaceNamed(values.workspace, services);
    const drawn = await services.get(FlowGraphs).ofFlow({ workspaceId, environment }, flow);
    return new PlainText(drawn[format]);
  });
}
