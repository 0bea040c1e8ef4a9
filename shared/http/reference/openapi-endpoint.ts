import * as z from 'zod';
import { commonSettings } from '../../settings/common.ts';
import type { Endpoint, Service } from '../endpoint.ts';

/**
 * Serves the contract document that the build wrote, without a credential.
 * @example export const handler = openApiEndpoint(session, document);
 */
export const openApiEndpoint = (service: Service, document: object): Endpoint =>
  service.endpoint(
    {
      route: 'GET /openapi/v1.json',
      summary: 'This contract, as OpenAPI 3.1',
      answers: { 200: z.looseObject({ openapi: z.string() }) },
      access: 'public',
    },
    async () => ({
      openapi: '3.1.0',
      ...document,
      servers: [{ url: `${commonSettings['Http:PublicUrl']}${service.basePath}` }],
    }),
  );
