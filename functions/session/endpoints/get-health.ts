import { healthEndpoint } from '../../../shared/http/health-endpoint.ts';
import { session } from '../service.ts';

export const handler = healthEndpoint(session);
