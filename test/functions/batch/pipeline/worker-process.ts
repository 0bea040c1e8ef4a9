import '../../../stores/child-stores.ts';
import { runPipeline } from '../../../../functions/batch/pipeline/domain/run-pipeline.ts';
import { logger } from '../../../../shared/log/logger.ts';

// Workers of one instance in a process of its own, more than it has slots, until its input ends.
const WORKERS = 12;

let isStopped = false;
process.stdin.on('end', () => {
  isStopped = true;
});
process.stdin.resume();

const worker = { logger: logger('batch'), now: () => Date.now(), hasTime: () => !isStopped };
await Promise.all(
  Array.from({ length: WORKERS }, async () => {
    while (!isStopped) {
      await runPipeline(worker);
      await new Promise((done) => setTimeout(done, 20));
    }
  }),
);
process.exit(0);
