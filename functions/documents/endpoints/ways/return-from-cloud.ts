import { returnEndpoint } from '../../../../shared/ui/ways/return-endpoint.ts';
import { returnToPage } from '../../domain/signing/ways/cloud.ts';
import { documents } from '../../service.ts';

export const handler = returnEndpoint(documents, returnToPage);
