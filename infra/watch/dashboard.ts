import { logicalPrefix } from '../resources.ts';
import type { Watched } from './watched.ts';

const WIDTH = 8; // of 24
const HEIGHT = 6;
const PERIOD = 300;

type Line = readonly [namespace: string, metric: string, ...dimensions: string[]];
type Graph = { readonly title: string; readonly stat: string; readonly lines: readonly Line[] };

const OUTCOMES = ['ok', 'refused', 'failed'];

/** Three graphs a service that has no more, six for one with queues. */
function graphsOf({ service, stage, name, workers, queues, deadLetters }: Watched): Graph[] {
  const own = `Sinete/${stage}`;
  const isBatch = service === 'batch';
  const graphs: Graph[] = [
    {
      title: 'Calls and errors',
      stat: 'Sum',
      lines: ['Count', '4XXError', '5XXError'].map((metric) => ['AWS/ApiGateway', metric, 'ApiName', name]),
    },
    {
      title: 'Time of a call, 99 of 100',
      stat: 'p99',
      lines: [['AWS/ApiGateway', 'Latency', 'ApiName', name]],
    },
    isBatch
      ? {
          title: 'Jobs',
          stat: 'Maximum',
          lines: ['JobsWaiting', 'JobsInFlight', 'JobsFailed', 'AwaitingSigner', 'AwaitingApproval'].map(
            (metric) => [own, metric, 'Service', service],
          ),
        }
      : {
          title: 'Calls by outcome',
          stat: 'Sum',
          lines: OUTCOMES.map((outcome) => [own, 'Calls', 'Service', service, 'Outcome', outcome]),
        },
    {
      title: 'Messages that wait',
      stat: 'Maximum',
      lines: queues.map((queue) => [
        'AWS/SQS',
        'ApproximateNumberOfMessagesVisible',
        'QueueName',
        queue.name,
      ]),
    },
    {
      title: 'Dead letters',
      stat: 'Maximum',
      lines: deadLetters.map((queue) => [
        'AWS/SQS',
        'ApproximateNumberOfMessagesVisible',
        'QueueName',
        queue,
      ]),
    },
    {
      title: 'Time of a run, longest',
      stat: 'Maximum',
      lines: workers.map((fn) => ['AWS/Lambda', 'Duration', 'FunctionName', fn.name]),
    },
  ];
  return graphs.filter(({ lines }) => lines.length > 0);
}

const REGION = `\${AWS::Region}`;

/** The body of the dashboard, for Fn::Sub: a row of states above, and below it the graphs of each service. */
export function dashboardBody(services: readonly Watched[], alarmIds: readonly string[]): string {
  const states = {
    ...{ type: 'alarm', x: 0, y: 0, width: 24, height: 4 },
    properties: { title: 'Alarms', alarms: alarmIds.map((id) => `\${${id}.Arn}`) },
  };
  let y = states.height;
  const widgets = services.flatMap((watched) => {
    const head = {
      ...{ type: 'text', x: 0, y, width: 24, height: 1 },
      properties: { markdown: `## ${logicalPrefix(watched.service)}` },
    };
    y += head.height;
    const graphs = graphsOf(watched).map(({ title, stat, lines }, n) => ({
      ...{ type: 'metric', x: (n % 3) * WIDTH, y: y + Math.floor(n / 3) * HEIGHT },
      ...{ width: WIDTH, height: HEIGHT },
      properties: { title, view: 'timeSeries', region: REGION, period: PERIOD, stat, metrics: lines },
    }));
    y += Math.ceil(graphs.length / 3) * HEIGHT;
    return [head, ...graphs];
  });
  return JSON.stringify({ widgets: [states, ...widgets] });
}
