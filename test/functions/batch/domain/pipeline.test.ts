import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  pausePipeline,
  renderPipeline,
  resumePipeline,
} from '../../../../functions/batch/domain/pipeline.ts';
import { pipelineStates } from '../../../../functions/batch/domain/pipeline-states.ts';
import { ownStores } from '../../own-stores.ts';

const actions = { paused: pausePipeline, resumed: resumePipeline };

let stop: () => Promise<void>;
beforeAll(async () => {
  stop = await ownStores();
});
afterAll(() => stop());

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
            const told = await actions[event]({ by: 'walker', reason: String(at), now: at });
            const kept = await renderPipeline();
            expected = next ?? expected;
            expect([told.state, kept.paused]).toEqual([expected, expected === 'Paused']);
            expect(kept.reason === String(at)).toBe(next !== undefined);
          }
        },
      ),
      { numRuns: 8 },
    );
  });
});
