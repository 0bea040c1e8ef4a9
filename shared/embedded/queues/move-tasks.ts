import type { Database } from '../database.ts';
import { StoreError } from '../errors.ts';
import type { Messages } from './messages.ts';
import { nameOfArn, type Queue, type Queues } from './queues.ts';
import { invalid, onlyKnown, optionalInteger, type Request, requireText } from './request.ts';

const MAX_LISTED = 10;

/** Moves dead letters back. SQS does so in the course of time; here a task is done in the commit that starts it. */
export function createMoveTasks(database: Database, queues: Queues, messages: Messages, now: () => number) {
  database.run(`CREATE TABLE IF NOT EXISTS message_moves (
    id INTEGER PRIMARY KEY, source TEXT NOT NULL, destination TEXT NOT NULL,
    moved INTEGER NOT NULL, started INTEGER NOT NULL) STRICT`);

  const find = (request: Request, parameter: string): Queue => {
    const queue = queues.lookUp(nameOfArn(requireText(request, parameter)));
    if (queue) return queue;
    throw new StoreError(
      'ResourceNotFoundException',
      `The resource that you specified for the ${parameter} parameter doesn't exist.`,
    );
  };

  return {
    start(request: Request): { readonly TaskHandle: string; readonly destination: string } {
      onlyKnown(request, ['SourceArn', 'DestinationArn']);
      const [from, to] = [find(request, 'SourceArn'), find(request, 'DestinationArn')];
      if (!queues.all().some(({ redrive }) => redrive?.deadLetters === from.name))
        throw invalid('Source queue must be configured as a Dead Letter Queue.');
      const moved = messages.moveAll(from, to);
      const task = database.get(
        'INSERT INTO message_moves (source, destination, moved, started) VALUES (?, ?, ?, ?) RETURNING id',
        from.arn,
        to.arn,
        moved,
        now(),
      );
      return { TaskHandle: String(task?.id), destination: to.name };
    },

    list(request: Request): object {
      onlyKnown(request, ['SourceArn', 'MaxResults']);
      const { arn } = find(request, 'SourceArn');
      const max = optionalInteger(request, 'MaxResults', 1, MAX_LISTED) ?? 1;
      const rows = database.each(
        'SELECT * FROM message_moves WHERE source = ? ORDER BY id DESC LIMIT ?',
        arn,
        max,
      );
      return {
        Results: [...rows].map(({ source, destination, moved, started }) => ({
          Status: 'COMPLETED',
          SourceArn: source,
          DestinationArn: destination,
          ApproximateNumberOfMessagesMoved: moved,
          ApproximateNumberOfMessagesToMove: moved,
          StartedTimestamp: started,
        })),
      };
    },
  };
}
