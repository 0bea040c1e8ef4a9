import { healthEndpoint } from '../../../shared/http/health-endpoint.ts';
import { compact } from '../service.ts';

/** Never counted: probes, those of the engine itself among them, are no calls of a caller. */
export const handler = healthEndpoint(compact);
