import { returnEndpoint } from '../../../../../shared/ui/ways/return-endpoint.ts';
import { pki } from '../../../service.ts';
import { returnToPage } from '../../domain/ways/cloud.ts';

export const handler = returnEndpoint(pki, returnToPage);
