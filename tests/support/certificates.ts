/** A certificate authority of our own, and certificates of it, as PEM files in a folder. */

import "reflect-metadata"; // the library below wants it first
import { join } from "node:path";
import {
  BasicConstraintsExtension,
  cryptoProvider,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

cryptoProvider.set(crypto);

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;

export interface Certificates {
  readonly ca: string;
  /** Paths of a certificate for these names, and of its key. */
  issue(name: string, hosts?: readonly string[]): Promise<{ cert: string; key: string }>;
}

/** Makes the authority; every file lies in `folder`. */
export async function openAuthority(folder: string): Promise<Certificates> {
  const keys = await makeKeys();
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...lifeOf(1),
    name: "CN=Toolscript Test Authority",
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(true, 1, true)],
  });
  const ca = join(folder, "ca.pem");
  await Deno.writeTextFile(ca, authority.toString("pem"));
  let serial = 1;
  return {
    ca,
    async issue(name, hosts = []) {
      const own = await makeKeys();
      const certificate: X509Certificate = await X509CertificateGenerator.create({
        ...lifeOf(++serial),
        subject: `CN=${name}`,
        issuer: authority.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: hosts.length === 0 ? [] : [
          new SubjectAlternativeNameExtension(
            hosts.map((value) => ({ type: "dns" as const, value })),
          ),
        ],
      });
      const paths = { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
      const key = await crypto.subtle.exportKey("pkcs8", own.privateKey);
      await Deno.writeTextFile(paths.cert, certificate.toString("pem"));
      await Deno.writeTextFile(paths.key, PemConverter.encode(key, "PRIVATE KEY"));
      return paths;
    },
  };
}

function lifeOf(serial: number) {
  return {
    serialNumber: String(serial).padStart(2, "0"),
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
  };
}

function makeKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
}
