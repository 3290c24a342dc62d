/** Sample rows of the data table. They are not loaded from the service. */
export interface SampleRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: 'Admin' | 'User';
  readonly status: 'Active' | 'Inactive';
}

const names = [
  'Avery Bennett',
  'Blake Carter',
  'Casey Donovan',
  'Dana Ellis',
  'Elliot Fraser',
  'Finley Grant',
  'Gray Holloway',
  'Harper Ingram',
  'Indigo James',
  'Jordan Keller',
  'Kai Lindqvist',
  'Logan Mercer',
  'Morgan Nakamura',
  'Noel Okafor',
  'Oakley Perez',
  'Parker Quinn',
  'Quincy Reyes',
  'Riley Sorensen',
  'Sage Thornton',
  'Taylor Ueda',
  'Uma Vasquez',
  'Val Whitaker',
  'Wren Xavier',
  'Xen Youngblood',
  'Yael Zimmer',
  'Zion Abara',
  'Ari Castellano',
  'Bryn Delacroix',
];

export const sampleRows: readonly SampleRow[] = names.map((name, index) => ({
  id: String(index + 1),
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
  role: index % 4 === 0 ? 'Admin' : 'User',
  status: index % 5 === 3 ? 'Inactive' : 'Active',
}));
