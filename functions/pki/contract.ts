// Shapes that several services share, as components of this contract.
export {
  CertificateModel,
  NameModel,
  PkiBrazilCertificateModel,
  PkiItalyCertificateModel,
  ValidationItemModel,
  ValidationResultsModel,
} from '../../shared/pki/model/contract.ts';
