import { isDiskFull } from '../../../../shared/command-line/reason.ts';
import type { Store } from './dynalite.ts';

// A batch that failed half way (a full disk) leaves a torn record in LevelDB's log. What is written after it is lost
// at the next start, so nothing is acknowledged after it: only a restart, which reads the log anew, makes it sound.
export function stopAtFirstFailure({ db }: Store): void {
  const write = db.batch.bind(db);
  let failure: Error | undefined;
  db.batch = async (writes) => {
    if (failure)
      throw new Error(`DynamoDB takes no more writes since one failed (${failure.message}). Restart.`);
    try {
      await write(writes);
    } catch (error) {
      failure =
        (error as Error).cause instanceof Error ? ((error as Error).cause as Error) : (error as Error);
      const why = isDiskFull(failure) ? 'the disk is full. Make room first' : failure.message;
      console.error(`DynamoDB: a write failed, and it takes no more until a restart: ${why}`);
      throw error;
    }
  };
}
