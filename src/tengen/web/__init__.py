"""The web app: live games, analysis and lessons in the browser, over `tengen.game.session`.

`tengen.web.app.create_app` makes the application; ``tengen serve`` runs it.
"""
