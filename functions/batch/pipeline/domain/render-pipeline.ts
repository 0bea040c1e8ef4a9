import { settings } from '../../settings.ts';
import { readFlight } from './flight.ts';
import type { Pipeline } from './pipeline.ts';

/** The pipeline as the contract shows it. `known` is the flag as a change just left it. */
export async function renderPipeline(known?: Pipeline) {
  const flight = await readFlight();
  const pipeline = known ?? flight.pipeline;
  const inFlight = (format: 'Pades' | 'Cades' | 'Xades'): number =>
    flight.slots.filter((slot) => slot.format === format).length;
  const total = flight.slots.length;
  return {
    paused: pipeline.state === 'Paused',
    pausedAtUtc: pipeline.pausedAt ?? null,
    resumedAtUtc: pipeline.resumedAt ?? null,
    pausedBy: pipeline.pausedBy ?? null,
    reason: pipeline.reason ?? null,
    maxConcurrency: settings['Pipeline:MaxConcurrency'],
    jobsInFlight: total,
    jobsInFlightByFormat: {
      pades: inFlight('Pades'),
      cades: inFlight('Cades'),
      xades: inFlight('Xades'),
      total,
    },
  };
}
