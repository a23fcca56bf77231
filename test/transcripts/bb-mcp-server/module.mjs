/** A module as somebody without our types would write it. */
export default {
  name: 'trouble',
  tools: [
    {
      name: 'fail',
      description: 'Fails',
      input: { type: 'object', properties: {} },
      run: () => {
        throw new Error('NullPointerException: name cannot be null')
      },
    },
  ],
}
