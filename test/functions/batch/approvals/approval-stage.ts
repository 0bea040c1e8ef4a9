import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { handler as decideHandler } from '../../../../functions/batch/approvals/endpoints/decide.ts';
import { metricsLedger } from '../../../../functions/batch/operations/domain/metrics.ts';
import { parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { call, lambdaContext } from '../../../requests/http-event.ts';
import { fileOf, payment, remittance } from '../jobs/cnab240/remittance.ts';
import { batchStage } from '../stage.ts';

export const ANA = { name: 'Ana Souza', email: 'ana@sandbox.example', cpf: '52998224725' };
export const BRUNO = { name: 'Bruno Lima', email: 'bruno@sandbox.example', cpf: '47363361886' };
export const CARLA = { name: 'Carla Dias', email: 'carla@sandbox.example', cpf: '11144477735' };

// Fifty decisions on one job take turns, and the machine may be busy.
const LIFE_MS = 120_000;

/** Somebody else of this number. */
export function personOf(number: number) {
  const nine = String(300_000_000 + number);
  const cpf = Array.from({ length: 100 }, (_, digits) => `${nine}${String(digits).padStart(2, '0')}`).find(
    parseCpf,
  );
  return { name: `Person ${number}`, email: `person-${number}@sandbox.example`, cpf: cpf ?? '' };
}

/** A remittance of its own content, paid on this day. */
export const paid = (date = '31122099'): string =>
  fileOf(remittance([payment('A', { date, value: Math.floor(Math.random() * 1e9) + 1 })])).toString('latin1');

/** The batch service with a profile whose jobs need two of three approvers. */
export async function approvalStage(startStores?: Parameters<typeof batchStage>[0]) {
  const stage = await batchStage(startStores);
  const approval = { quorum: 2, approvers: [ANA, BRUNO, CARLA], expiresAfter: 172_800 };
  await stage.profile({ name: 'aprovacao', checkCnab240: true, preserveFileExtension: true, approval });
  let uploads = 0;
  return {
    ...stage,
    approval,
    /** A job that waits for approval. */
    async parked(name = `folha-${++uploads}.rem`, content: string | Uint8Array = paid()) {
      const { id } = await stage.upload(name, content, { profile: 'aprovacao' });
      await stage.run();
      return stage.job(id);
    },
    /** Decides as somebody who knows the id of the job does. */
    decide: (id: string, json: object) =>
      call(decideHandler, { params: { id }, json, address: randomUUID() }, lambdaContext(LIFE_MS)),
    counted: (series: string) =>
      metricsLedger.read(async (readNode) => (await readNode('')).get(series) ?? 0),
    stopClock: (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: ms }),
  };
}

export type ApprovalStage = Awaited<ReturnType<typeof approvalStage>>;
