import { assetsEndpoint } from '../../../shared/ui/assets-endpoint.ts';
import { batch } from '../service.ts';

export const handler = assetsEndpoint(batch);
