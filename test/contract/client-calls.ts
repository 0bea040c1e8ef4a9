import { readFileSync } from 'node:fs';
import { SERVICES } from '../../shared/settings/names.ts';
import { sampleCalls } from '../clients/typescript/samples.ts';
import { responsesOf } from '../shared/http/reference/responses.ts';

/** The calls of every operation as JSON has them, for another process or a page. */
export const plainCalls = () =>
  Promise.all(
    sampleCalls().map(async ({ request: { body, ...request }, ...call }) => {
      if (!(body instanceof Blob))
        return { ...call, request: { ...request, ...(body !== undefined && { body }) } };
      const base64 = Buffer.from(await body.arrayBuffer()).toString('base64');
      return { ...call, request, file: { base64, type: body.type } };
    }),
  );

/** What became of each call: done, or the code of the refusal. */
export type Outcomes = readonly (readonly [name: string, outcome: string])[];

type Document = {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>;
  components: { responses: Record<string, object> };
};

const refusals = new Map<string, string>(
  SERVICES.flatMap((service) => {
    const document: Document = JSON.parse(readFileSync(`functions/${service}/openapi.json`, 'utf8'));
    return Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .map(
        (operation) =>
          [`${service}.${operation.operationId}`, JSON.stringify(responsesOf(document, operation))] as const,
      );
  }),
);
const operationOf = new Map<string, string>(
  sampleCalls().map(({ name, service, operation }) => [name, `${service.toLowerCase()}.${operation}`]),
);
const UNEXPECTED = /internal|unexpected/i;

/** Whether the contract of an operation has a refusal by this code, and it is no defect of the service. */
export const mayRefuse = (name: string, code: string): boolean =>
  !UNEXPECTED.test(code) && (refusals.get(operationOf.get(name) ?? '')?.includes(`\`${code}\``) ?? false);
