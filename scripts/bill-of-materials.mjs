/** Describes the packages of the artefact: a CycloneDX SBOM, and their licenses with the texts. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { copyPackages } from './production-packages.mjs';

const licenseFile = /^(?:licen[cs]e|copying|notice)/i;

/**
 * Writes the SBOM of the packages. The tool reads installed packages, so it gets a directory with the manifests alone: that
 * of the repository also has the packages of the development.
 *
 * @param manifest of the artefact, with the direct dependencies of all workspaces
 * @param locations of all packages, those in the bundles included
 */
export function writeBillOfMaterials(file, { root, manifest, locations, directoryOf, scratch }) {
  fs.mkdirSync(scratch);
  fs.writeFileSync(path.join(scratch, 'package.json'), JSON.stringify(manifest));
  copyPackages(locations, { directoryOf, target: scratch, accepts: (name) => name === 'package.json' });
  const tool = path.join(root, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js');
  const options = ['--output-reproducible', '--flatten-components', '--spec-version', '1.6', '--validate'];
  execFileSync(process.execPath, [tool, ...options, '--output-file', file], {
    cwd: scratch,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * Returns the name, version, license and license texts of each package, as a text.
 *
 * @param placeOf returns where the artefact contains the code of a package
 */
export function describeLicenses({ root, locations, placeOf, directoryOf }) {
  const entries = locations.map((location) => {
    const directory = directoryOf(location);
    const { name, version, license } = JSON.parse(
      fs.readFileSync(path.join(directory, 'package.json'), 'utf8'),
    );
    const place = placeOf(location);
    return { heading: `${name} ${version}, ${license}, in ${place}`, texts: readTexts(directory) };
  });
  const font = {
    heading: 'Public Sans, OFL-1.1, in apps/console/dist',
    texts: readTexts(path.join(root, 'apps/console/fonts')),
  };
  const all = [...entries, font].toSorted((a, b) => (a.heading < b.heading ? -1 : 1));
  return [
    'Licenses of the packages in this artefact. Their texts follow.',
    all.map(({ heading }) => heading).join('\n'),
    ...all.map(
      ({ heading, texts }) => `== ${heading}\n\n${texts.join('\n\n') || 'The package has no license file.'}`,
    ),
    '',
  ].join('\n\n');
}

const readTexts = (directory) =>
  fs
    .readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && licenseFile.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
    .map((name) => fs.readFileSync(path.join(directory, name), 'utf8').replaceAll('\r\n', '\n').trim());
