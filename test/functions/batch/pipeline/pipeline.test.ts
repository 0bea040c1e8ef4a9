import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  pausePipeline,
  pipelineStates,
  resumePipeline,
} from '../../../../functions/batch/pipeline/domain/pipeline.ts';
import { renderPipeline } from '../../../../functions/batch/pipeline/domain/render-pipeline.ts';
import { runs } from '../../../faults/fuzz.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';

const caller = { application: 'walker', keyId: 'k1', permissions: [], registered: {} };
const actions = {
  paused: (reason: string, nowMs: number) => pausePipeline(caller, { reason }, nowMs),
  resumed: (reason: string, nowMs: number) => resumePipeline(caller, { reason }, nowMs),
};

await forFile(ownStores());

describe('the states of the pipeline', () => {
  test('are one flag: paused and running, with no end', () => {
    expect(pipelineStates.states).toEqual(['Running', 'Paused']);
    expect(pipelineStates.states.filter(pipelineStates.isTerminal)).toEqual([]);
    expect(pipelineStates.next('Running', 'paused')).toBe('Paused');
    expect(pipelineStates.next('Paused', 'resumed')).toBe('Running');
  });

  test('are walked by any sequence of pauses and resumes as the table says, and by nothing else', async () => {
    let expected: (typeof pipelineStates.states)[number] = 'Running';
    let at = Date.UTC(2027, 0, 1);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...pipelineStates.events), { maxLength: 8 }),
        async (walk) => {
          for (const event of walk) {
            at += 1000;
            const next = pipelineStates.next(expected, event);
            const result = await actions[event](String(at), at);
            const stored = await renderPipeline();
            expected = next ?? expected;
            expect([result.state, stored.paused]).toEqual([expected, expected === 'Paused']);
            expect(stored.reason === String(at)).toBe(next !== undefined);
          }
        },
      ),
      { numRuns: runs(8) },
    );
  });
});
